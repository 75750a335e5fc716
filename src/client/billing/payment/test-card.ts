import type { TestCard } from '#contract/sandbox.ts'

/** The numbers that the form accepts, as they are printed on a card. */
export const TEST_NUMBERS: Record<TestCard, string> = {
  pays: '4242 4242 4242 4242',
  asks: '4000 0025 0000 3155',
  declined: '4000 0000 0000 0002',
  fails_later: '4000 0000 0000 0341',
}

export const testCards = Object.keys(TEST_NUMBERS) as TestCard[]

export type CardFields = { number: string; expiry: string; cvc: string }
export type CardErrors = Partial<CardFields>

const digitsOf = (text: string) => text.replace(/[\s-]/g, '')

/** The test card with a number; undefined for every other number, such as a real card's. */
export function testCardOf(number: string): TestCard | undefined {
  return testCards.find((card) => digitsOf(TEST_NUMBERS[card]) === digitsOf(number))
}

/** The error of each field, in the order of the form; empty if the form can be sent. */
export function cardErrors({ number, expiry, cvc }: CardFields, today: Date): CardErrors {
  const errors: CardErrors = {}
  if (!testCardOf(number)) errors.number = numberError(number)
  const date = expiryError(expiry, today)
  if (date) errors.expiry = date
  if (!/^\d{3,4}$/.test(cvc.trim())) errors.cvc = 'Enter any 3 digits.'
  return errors
}

function numberError(number: string): string {
  const { pays, asks, declined, fails_later } = TEST_NUMBERS
  const numbers = `Use ${pays}, ${asks}, ${declined} or ${fails_later}.`
  return number.trim() === '' ? numbers : `This isn’t a test card. ${numbers}`
}

/** A month, and a year with two or four digits: 12/34, 12 / 2034, 1234. */
const EXPIRY = /^(0?[1-9]|1[0-2])\s*[/.-]?\s*(?:20)?(\d\d)$/

/** A card is valid until the end of its month. */
function expiryError(expiry: string, today: Date): string | undefined {
  const [, month, year] = EXPIRY.exec(expiry.trim()) ?? []
  if (!month || !year) return 'Enter a month and a year, such as 12/34.'
  const months = (2000 + Number(year)) * 12 + Number(month)
  const current = today.getFullYear() * 12 + today.getMonth() + 1
  return months < current ? 'This date has passed. Enter a later one.' : undefined
}
