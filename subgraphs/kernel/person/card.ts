const CARD_NUMBER = /^\d{12,19}$/;
const ONE_DIGIT = /^(\d)\1*$/;
const MONTH_AND_YEAR = /^(0[1-9]|1[0-2])(\d{2})$/;
const LAST_DIGITS = 4;

/** The digits of a card number, without the spaces and dashes that people write. */
export function toCardDigits(number: string): string {
  return number.replace(/[ -]/g, '');
}

/**
 * Whether 12 to 19 digits end in the check digit of ISO/IEC 7812-1 (Luhn). One digit repeated is no card number (decisions,
 * section 8, "Card numbers"): sixteen zeros pass Luhn.
 */
export function isCardNumber(digits: string): boolean {
  if (!CARD_NUMBER.test(digits) || ONE_DIGIT.test(digits)) {
    return false;
  }
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Whether MMYY names a month that is not over (UTC); the card is good to its end. */
export function isCurrentExpiry(expirationDate: string, now: Date): boolean {
  const [, month, year] = MONTH_AND_YEAR.exec(expirationDate) ?? [];
  return month !== undefined && now.getTime() < Date.UTC(2000 + Number(year), Number(month), 1);
}

/** The last four digits of a number. */
export function lastFour(number: string): string {
  return number.slice(-LAST_DIGITS);
}
