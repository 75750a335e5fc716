import { DAY_MS } from '#contract/time.ts'
import type { EndingCode } from '../../codes/types.ts'
import { localTime } from './local-time.ts'

/** The days before a code's end on which its owner gets a mail */
const STAGES = [1, 3] as const
type Stage = (typeof STAGES)[number]

/** How far ahead the rule looks: the first stage, and the day whose codes share a mail. */
export const LOOK_AHEAD_MS = 4 * DAY_MS

/** A code in a mail. `about` names the code and the stage, so that each is mailed once. */
type DueCode = { about: string; code: EndingCode }

/**
 * The codes that an owner gets a mail about now: those whose end is near and that were not mailed at
 * this stage, and all others that end on the same day, so that they share the mail.
 * @param sent what was mailed before
 */
export function dueCodes(
  codes: EndingCode[],
  { sent, now, zone }: { sent: ReadonlySet<string>; now: Date; zone: string | null },
): DueCode[] {
  const dayOf = (code: EndingCode) => localTime(code.expiresAt, zone).date
  const isNews = (code: EndingCode, stage: Stage) => !sent.has(aboutOf(code, stage))
  const stages = new Map<string, Stage>()
  for (const code of codes) {
    const stage = stageOf(code, now)
    if (!stage || !isNews(code, stage)) continue
    stages.set(dayOf(code), Math.min(stage, stages.get(dayOf(code)) ?? stage) as Stage)
  }
  return codes.flatMap((code) => {
    const stage = stages.get(dayOf(code))
    return stage && isNews(code, stage) ? [{ about: aboutOf(code, stage), code }] : []
  })
}

function stageOf({ expiresAt }: EndingCode, now: Date): Stage | undefined {
  const left = expiresAt - now.getTime()
  return left > 0 ? STAGES.find((days) => left <= days * DAY_MS) : undefined
}

const aboutOf = ({ id }: EndingCode, stage: Stage) => `${id} ${stage}`
