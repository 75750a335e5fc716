import { DAY_MS } from '#contract/time.ts'
import { localTime } from './local-time.ts'

/** A code that stops working at an instant. */
export type EndingCode = { id: string; userId: string; name: string; expiresAt: number }

/** The code's owner is told so many days before its end. */
const STAGES = [1, 3] as const
type Stage = (typeof STAGES)[number]

/** How far ahead the rule looks: the first stage, and the day whose codes share a mail. */
export const LOOK_AHEAD_MS = 4 * DAY_MS

/** Something that a mail tells: each is told once. */
export type Told = { about: string; code: EndingCode }

/**
 * What an owner is told now: of each code whose end is near and has not been told at this stage, and
 * of all others that end on the same day, so that they share the mail.
 * @param told what was told before
 */
export function dueCodes(
  codes: EndingCode[],
  { told, now, zone }: { told: ReadonlySet<string>; now: Date; zone: string | null },
): Told[] {
  const dayOf = (code: EndingCode) => localTime(code.expiresAt, zone).date
  const isNews = (code: EndingCode, stage: Stage) => !told.has(aboutOf(code, stage))
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
