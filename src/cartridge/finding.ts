import { type JsonPath, type JsonSource, jsonPathText } from '../core/json-source.ts';

/** Something an author should know of a cartridge. An error keeps it from being served; a warning does not. */
export type Finding = {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** `phases[2].id`; `$` for the whole file. */
  readonly path: string;
  /** What is wrong. */
  readonly message: string;
  /** What would be right. */
  readonly hint: string;
};

/** A finding that knows its path but not yet its line; `part` says whether it is about the key or the value. */
export type Complaint = {
  readonly severity: Finding['severity'];
  readonly path: JsonPath;
  readonly part?: 'key' | 'value';
  readonly message: string;
  readonly hint: string;
};

const maxFindings = 100;

/** Complaints as findings, in the order of the file. Past a hundred the rest is counted, errors being kept first. */
export function locateComplaints(
  complaints: readonly Complaint[],
  file: string,
  locate: JsonSource['locate'],
): readonly Finding[] {
  const kept = complaints.toSorted((a, b) => weight(a) - weight(b)).slice(0, maxFindings);
  const findings = kept.map(({ severity, path, part, message, hint }): Finding => {
    return { severity, file, ...locate(path, part), path: jsonPathText(path), message, hint };
  });
  const more = complaints.length - kept.length;
  if (more > 0) findings.push(wholeFile(file, 'warning', `There are ${more} more findings.`, 'Mend these first.'));
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** A finding about a file as a whole: it points at the file's first character. */
export function wholeFile(file: string, severity: Finding['severity'], message: string, hint: string): Finding {
  return { severity, file, line: 1, column: 1, path: '$', message, hint };
}

/** Findings for people: each on one line, `file:line:column: error: message (path) — hint`. */
export function describeFindings(findings: readonly Finding[]): string {
  return findings
    .map(({ file, line, column, severity, message, path, hint }) => {
      return `${file}:${line}:${column}: ${severity}: ${message} (${path}) — ${hint}`;
    })
    .join('\n');
}

/** Whether any of them keeps a cartridge from being served. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error');
}

function weight(complaint: Complaint): number {
  return complaint.severity === 'error' ? 0 : 1;
}
