import { type DigitGroups, mayBecomePersonal, personalNumber } from './phone-number.ts';
import type { Violation } from './reply-filter.ts';
import { AT, DIGIT_ZERO, DOT, IGNORED, isWordSymbol, OTHER_LETTER, PLUS, SEPARATOR } from './symbols.ts';

/** Of what stands before the `@` this much is held, and of a domain that much. */
const longestLocal = 14;
const longestDomain = 96;
const longestGap = 2;
const HYPHEN = 45;
const UNDERSCORE = 95;
const EXCLAMATION = 33;

/** A character as the scan sees it: its symbol, that of the one before it, where it stands, its code unit. */
export type Seen = { symbol: number; before: number; offset: number; code: number };

type Group = { digits: string; offset: number };

/**
 * Finds phone numbers, e-mail addresses and Lithuanian personal codes in a reply. While `busy` it must be shown every
 * symbol; else only digits, `.`, `+` and `@`.
 *
 * Of an e-mail address the letters before the first `.`, digit or `_` have left when the `@` comes: to hold every word
 * until it ends, for the sake of the few that an `@` follows, would delay all text. What makes it an address does not
 * leave. Numbers are held from their first digit.
 */
export class PersonalDataScan {
  found: Violation | null = null;
  /** The offset from which text must be held; Infinity where it need not be. */
  holdFrom = Infinity;
  readonly #allowedNumbers: ReadonlySet<string>;
  readonly #allowedDomains: ReadonlySet<string>;
  #mode: 'idle' | 'number' | 'local' | 'domain' = 'idle';
  #groups: Group[] = [];
  #international = false;
  #gap = 0;
  /** The offset behind a run of digits that is no number of interest. */
  #passed = -1;
  #domain = '';

  /** `contacts`: numbers and addresses that everybody may know. */
  constructor(contacts: readonly string[]) {
    this.#allowedNumbers = new Set(contacts.map((contact) => national(contact.replace(/\D/gu, ''))));
    this.#allowedDomains = new Set(contacts.flatMap((contact) => /@(\S+)/u.exec(contact)?.[1]?.toLowerCase() ?? []));
  }

  get busy(): boolean {
    return this.#mode !== 'idle';
  }

  step(seen: Seen): void {
    switch (this.#mode) {
      case 'idle':
        return this.#begin(seen);
      case 'number':
        return this.#inNumber(seen);
      case 'local':
        return this.#inLocal(seen);
      case 'domain':
        return this.#inDomain(seen);
    }
  }

  /** The text ends at `offset`: what is under way is judged as it stands, and nothing is held any more. */
  end(offset: number): void {
    if (this.busy) this.step({ symbol: SEPARATOR, before: SEPARATOR, offset, code: 0 });
    if (!this.found) this.#release();
  }

  /** A character that folding passes over: of these only `_` can be part of an address. */
  skip(code: number, before: number, offset: number): void {
    if (code !== UNDERSCORE) return;
    if (this.#mode === 'idle' && isWordSymbol(before)) this.#start('local', offset);
  }

  #begin(seen: Seen): void {
    const { symbol, before, offset } = seen;
    const inWord = isWordSymbol(before) || before === IGNORED;
    if (symbol === AT && inWord) {
      this.#start('domain', offset);
      this.#domain = '';
    } else if (isDigit(symbol)) {
      if (offset === this.#passed) this.#passed = offset + 1;
      else if (before <= OTHER_LETTER) this.#start('local', offset);
      else this.#startNumber(seen, false);
    } else if (symbol === PLUS && !inWord) this.#startNumber(seen, true);
    else if ((symbol === DOT || symbol === PLUS) && inWord) this.#start('local', offset);
  }

  #start(mode: 'local' | 'domain' | 'number', offset: number): void {
    this.#mode = mode;
    this.holdFrom = Math.min(this.holdFrom, offset);
  }

  #release(): void {
    this.#mode = 'idle';
    this.holdFrom = Infinity;
    this.#groups = [];
  }

  #startNumber({ symbol, offset }: Seen, international: boolean): void {
    this.#start('number', offset);
    this.#international = international;
    this.#gap = 0;
    this.#groups = [{ digits: international ? '' : digitOf(symbol), offset }];
    this.#drop(offset);
  }

  #inNumber(seen: Seen): void {
    const { symbol, offset, code } = seen;
    const latest = this.#groups.at(-1);
    if (isDigit(symbol) && latest) {
      if (this.#gap > 0 && latest.digits !== '') this.#groups.push({ digits: digitOf(symbol), offset });
      else latest.digits += digitOf(symbol);
      this.#gap = 0;
      return this.#drop(offset);
    }
    if (this.#gap === 0 && latest?.digits !== '') {
      const kind = isWordSymbol(symbol) ? null : personalNumber(this.#written());
      if (kind && !this.#allowedNumbers.has(national(this.#written().groups.join('')))) {
        this.found = { boundary: 'personal_data', entryId: kind, severity: kind === 'personal_code' ? 3 : 2 };
        return;
      }
      if (symbol === AT || isWordSymbol(symbol)) {
        this.#groups = [];
        this.#mode = 'local';
        return this.#inLocal(seen);
      }
    }
    this.#gap++;
    const parts = symbol > OTHER_LETTER && symbol <= DOT && code !== EXCLAMATION && this.#gap <= longestGap;
    if (parts) return;
    this.#release();
    this.#begin(seen);
  }

  /** Drops the groups from the front that no number of interest can begin with. */
  #drop(offset: number): void {
    while (this.#groups.length > 0 && !mayBecomePersonal(this.#written())) {
      this.#groups.shift();
      this.#international = false;
      this.holdFrom = this.#groups[0]?.offset ?? Infinity;
    }
    if (this.#groups.length > 0) return;
    this.#passed = offset + 1;
    this.#release();
  }

  #written(): DigitGroups {
    return { international: this.#international, groups: this.#groups.map(({ digits }) => digits) };
  }

  #inLocal(seen: Seen): void {
    const { symbol, offset, code } = seen;
    if (symbol === AT) {
      this.#mode = 'domain';
      this.#domain = '';
    } else if (!isAddressPart(symbol, code) || offset - this.holdFrom >= longestLocal) {
      this.#release();
      if (symbol === PLUS || isDigit(symbol)) this.#begin(seen);
    }
  }

  #inDomain(seen: Seen): void {
    const { symbol, offset, code } = seen;
    const fits = isAddressPart(symbol, code) && symbol !== PLUS && !(symbol === DOT && /(^|\.)$/u.test(this.#domain));
    if (fits && offset - this.holdFrom <= longestDomain) {
      this.#domain += symbol === DOT ? '.' : String.fromCharCode(code).toLowerCase();
      return;
    }
    const domain = this.#domain.replace(/\.$/u, '');
    if (/^.+\.[^.]{2,}$/u.test(domain) && !this.#allowedDomains.has(domain)) {
      this.found = { boundary: 'personal_data', entryId: 'email_address', severity: 2 };
      return;
    }
    this.#release();
    this.#begin(seen);
  }
}

function isAddressPart(symbol: number, code: number): boolean {
  return isWordSymbol(symbol) || symbol === DOT || symbol === PLUS || code === HYPHEN;
}

function isDigit(symbol: number): boolean {
  return symbol >= DIGIT_ZERO && symbol < AT;
}

function digitOf(symbol: number): string {
  return String(symbol - DIGIT_ZERO);
}

/** A Lithuanian number without its country or trunk prefix. */
function national(digits: string): string {
  return digits.replace(/^(00370|370|8|0)(?=\d{8}$)/u, '');
}
