/** Hours to 23 and minutes to 59, also of the zone, as in RFC 3339; no leap seconds. */
const TIME =
  /^(\d{4})-(\d{2})-(\d{2})(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$/;

/** Whether a text is a date of the Gregorian calendar, or one with a time and its zone. */
export function isTime(text: string): boolean {
  const [year, month, day] = (TIME.exec(text) ?? []).slice(1, 4).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  // A year below 100 would be taken for one of the last century; the calendar repeats after 400 years.
  const last = new Date(Date.UTC(year + 400, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= last;
}

/** The moment of a time as it is compared with others, in UTC: `2026-03-02T09:15:00.000Z`; null for what is no time of four-digit years. */
export function momentOf(text: string): string | null {
  if (!isTime(text)) return null;
  const moment = new Date(text).toISOString();
  return /^\d/.test(moment) ? moment : null;
}
