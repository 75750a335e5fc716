import Bowser from 'bowser'
import { isbot, isbotMatch } from 'isbot'
import type { DeviceName } from '#contract/analytics/figure-values.ts'
import { apps, previews } from './apps.ts'
import { habits, machines } from './devices.ts'
import type { Hints } from './hints.ts'
import { firstOf, OTHER, type Rule } from './rule.ts'

/** The names of a visitor's machine, system and browser. */
export type Device = { device: DeviceName; os: string; browser: string }

/** A browser's agent begins so, Facebook's for Android too; an app's own requests, and most programs, do not. */
const BROWSER = /^(?:Mozilla\/5\.0 .*(?:AppleWebKit|Gecko)|\[FBAN\/)/
/** Words by which a robot owns up even behind an app's name. */
const ROBOT = /bot\b|crawl|spider|compatible;|:\/\//i
/** Android's browsers name the model behind the version: Discovery, Spider and CUBOT are phones. */
const MODEL =
  /^(Mozilla\/5\.0 \((?:Linux; ?(?:\w+; ?){0,2})?Android[^;()]*)((?:[^()]|\([^()]*\))*)\)/
/** In a program's agent there is an address, or a name with a version of its own. */
const PROGRAM = /compatible|:\/\/|@/
const PRODUCT = /^(?!.*\bBuild\/).*\//

const withoutModel = (agent: string) =>
  agent.replace(MODEL, (all, start: string, rest: string) => {
    if (PROGRAM.test(rest)) return all
    return `${[start, ...rest.split(';').filter((part) => PRODUCT.test(part))].join(';')})`
  })

/** The class of an agent, and the rule that decided it. */
export function classOf(
  agent: string,
  app = appOf(agent),
): ['person' | 'bot' | 'preview', rule: string] {
  if (!agent) return ['bot', 'agent:absent']
  const preview = firstOf(previews, agent)
  if (preview) return ['preview', `preview:${preview.name}`]
  if (app) return ['person', `app:${app.name}`]
  const plain = withoutModel(agent)
  if (!isbot(plain)) return ['person', 'person']
  // Televisions say CE-HTML and GoogleTV, which look like programs to isbot.
  if (firstOf(machines, agent)?.device === 'TV' && !ROBOT.test(plain)) return ['person', 'tv']
  return ['bot', `isbot:${isbotMatch(plain)}`]
}

/** The app whose browser this is. */
export function appOf(agent: string): Rule | undefined {
  if (!BROWSER.test(agent)) return undefined
  const app = firstOf(apps, agent)
  return app && !ROBOT.test(withoutModel(agent)) ? app : undefined
}

/** The machine: a rule knows it best, then a hint, then habit. The names: rules, then hints, then Bowser. */
export function deviceOf(agent: string, hints: Hints, app = appOf(agent)): Device {
  const machine = firstOf(machines, agent)?.device ?? hints.device
  return {
    device: machine ?? firstOf(habits, agent)?.device ?? OTHER,
    os: firstOf(systems, agent)?.name ?? hints.os ?? systemOf(agent) ?? OTHER,
    browser: (app ?? firstOf(browsers, agent))?.name ?? browserOf(agent) ?? OTHER,
  }
}

/** Browsers that Bowser does not know, or knows by another's name. */
export const browsers: readonly Rule[] = [
  { name: 'Huawei Browser', pattern: /\bHuaweiBrowser\//i },
  { name: 'Mi Browser', pattern: /\bMiuiBrowser\//i },
  { name: 'DuckDuckGo', pattern: /\b(?:DuckDuckGo|Ddg)\/\d/ },
  { name: 'Ecosia', pattern: /\bEcosia (?:ios|android)@/i },
  { name: 'Opera', pattern: /\b(?:OPT|OPX)\/\d/ },
]

/** Systems that Bowser does not know. */
export const systems: readonly Rule[] = [
  { name: 'HarmonyOS', pattern: /\b(?:Open)?Harmony(?:OS)?\b/i },
  { name: 'KaiOS', pattern: /\bKAIOS\//i },
  { name: 'Chrome OS', pattern: /\bCrOS\b/ },
]

/*
 * Where Bowser knows no name it takes a word of the agent: only names of its own lists are names. A
 * visitor could otherwise fill an owner's reports with words of his choice.
 */
const { Generic: _, ...named } = Bowser.BROWSER_MAP as Record<string, string>
const browserNames = new Set(Object.values(named))
const systemNames = new Set<string>(Object.values(Bowser.OS_MAP))

// Bowser's parse() reads all four parts of an agent; a parser reads what it is asked for.
const parserOf = (agent: string) => (agent ? Bowser.getParser(agent, true) : undefined)

const known = (names: Set<string>, name: string | undefined) =>
  name !== undefined && names.has(name) ? name : undefined

/** Bowser's name of an agent's browser, where it knows one. */
export const browserOf = (agent: string) => known(browserNames, parserOf(agent)?.getBrowserName())

/** Bowser's name of an agent's system, where it knows one. */
export const systemOf = (agent: string) => known(systemNames, parserOf(agent)?.getOSName())
