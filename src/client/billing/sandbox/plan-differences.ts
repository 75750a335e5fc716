import { type PaidTier, type Plan, plans, UNLIMITED } from '#contract/plans.ts'

/** What becomes of a plan's rules: "QR codes: 10, now 3". Nothing where only the billing changes. */
export function planDifferences(from: PaidTier, to: PaidTier): string[] {
  const rows = [
    ['QR codes', limitOf(plans[from]), limitOf(plans[to])],
    ['Custom URLs', pathsOf(plans[from]), pathsOf(plans[to])],
  ]
  return rows
    .filter(([, before, after]) => before !== after)
    .map(([what, before, after]) => `${what}: ${after} (now ${before})`)
}

const limitOf = ({ codeLimit }: Plan) => (codeLimit === UNLIMITED ? 'no limit' : String(codeLimit))
const pathsOf = ({ customPaths }: Plan) => (customPaths ? 'included' : 'not included')
