/** Digits as written, in groups that spaces, hyphens, dots or brackets part. */
export type DigitGroups = { international: boolean; groups: readonly string[] };

export type NumberKind = 'phone_number' | 'personal_code';

/** What a number could still be with more digits: false where it is neither and cannot become either. */
export function mayBecomePersonal({ international, groups }: DigitGroups): boolean {
  const digits = groups.join('');
  if (international) return digits.length <= 15 && !digits.startsWith('0');
  return (
    /^00?$|^00[1-9]\d{0,14}$/u.test(digits) ||
    /^[08]$|^[08][3-7]\d{0,7}$/u.test(digits) ||
    '370'.startsWith(digits) ||
    /^370[3-7]?\d{0,7}$/u.test(digits) ||
    /^0[127]\d{0,9}$/u.test(digits) ||
    fits(groups, [3, 3, 4], /^[2-9]/u) ||
    ((fits(groups, [11], /^[3-6]/u) || fits(groups, [1, 6, 4], /^[3-6]/u)) && hasPlausibleDate(digits))
  );
}

/** What a whole number is; null where it is nobody's. */
export function personalNumber({ international, groups }: DigitGroups): NumberKind | null {
  const digits = groups.join('');
  if (isPersonalCode(digits) && (groups.length === 1 || fits(groups, [1, 6, 4], /^/u))) return 'personal_code';
  if (international) return digits.length >= 8 && digits.length <= 15 ? 'phone_number' : null;
  if (/^00[1-9]\d{7,14}$/u.test(digits)) return 'phone_number';
  if (isAmount(groups) || isDate(groups)) return null;
  const lithuanian = /^[08][3-7]\d{7}$/u.test(digits) || /^370[3-7]\d{7}$/u.test(digits);
  const foreign = /^0[127]\d{9}$/u.test(digits) || groups.map((group) => group.length).join() === '3,3,4';
  return lithuanian || foreign ? 'phone_number' : null;
}

/**
 * Whether these are the eleven digits of a Lithuanian personal code: century and sex, a date, a number, and a digit that
 * checks the others.
 */
export function isPersonalCode(digits: string): boolean {
  if (!/^[3-6]\d{10}$/u.test(digits) || !hasPlausibleDate(digits)) return false;
  const values = Array.from(digits, Number);
  const sum = (weights: readonly number[]) =>
    weights.reduce((total, weight, index) => total + weight * (values[index] ?? 0), 0) % 11;
  const first = sum([1, 2, 3, 4, 5, 6, 7, 8, 9, 1]);
  const check = first < 10 ? first : sum([3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 10;
  return check === values[10];
}

/** Whether month and day, as far as they are there, can be a month and a day. */
function hasPlausibleDate(digits: string): boolean {
  const month = digits.slice(3, 5);
  const day = digits.slice(5, 7);
  if (month.length === 2 && !/^(0[1-9]|1[0-2])$/u.test(month)) return false;
  return day.length < 2 || /^(0[1-9]|[12]\d|3[01])$/u.test(day);
}

/** Whether the groups are as long as these, the last of them not longer. */
function fits(groups: readonly string[], lengths: readonly number[], first: RegExp): boolean {
  if (groups.length > lengths.length || !first.test(groups[0] ?? '')) return false;
  return groups.every((group, index) => {
    const length = lengths[index] ?? 0;
    return index === groups.length - 1 ? group.length <= length : group.length === length;
  });
}

/** 812 345 678: thousands in groups of three. */
function isAmount(groups: readonly string[]): boolean {
  return groups.length > 1 && (groups[0]?.length ?? 0) <= 3 && groups.slice(1).every((group) => group.length === 3);
}

function isDate(groups: readonly string[]): boolean {
  return /^(2,2,4|4,2,2|2,2,2|1,2,4|2,1,4|1,1,4)(,|$)/u.test(groups.map((group) => group.length).join());
}
