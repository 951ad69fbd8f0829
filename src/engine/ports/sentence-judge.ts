/**
 * A model that judges whole sentences, for what no lexicon sees. It runs beside the filter, never in its way: text
 * leaves without waiting for it, and a sentence that it forbids later withdraws the reply all the same.
 */
export interface SentenceJudge {
  /** How long one sentence's verdict is waited for, in milliseconds; none by then is none at all. */
  readonly deadlineMs: number;
  /** The boundary that a sentence crosses, or null. A rejection counts as no verdict. */
  judge(
    sentence: string,
    about: { language: string; boundaries: readonly string[] },
    signal: AbortSignal,
  ): Promise<string | null>;
}
