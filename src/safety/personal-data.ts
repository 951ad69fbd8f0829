import type { Violation } from './reply-filter.ts';

export class PersonalDataScan {
  busy = false;
  holdFrom = Infinity;
  found: Violation | null = null;
  step(symbol: number, before: number, offset: number): void {
    void symbol;
    void before;
    void offset;
  }
  skip(codeUnit: number, offset: number): void {
    void codeUnit;
    void offset;
  }
}
