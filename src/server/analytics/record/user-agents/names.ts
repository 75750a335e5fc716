import Bowser from 'bowser'
import type { Rule } from './rule.ts'

/** Browsers that Bowser does not know, or knows by another's name. */
export const browsers: readonly Rule[] = [
  { name: 'Huawei Browser', version: 2, pattern: /\bHuaweiBrowser\//i },
  { name: 'Mi Browser', version: 2, pattern: /\bMiuiBrowser\//i },
  { name: 'DuckDuckGo', version: 2, pattern: /\b(?:DuckDuckGo|Ddg)\/\d/ },
  { name: 'Ecosia', version: 2, pattern: /\bEcosia (?:ios|android)@/i },
  { name: 'Opera', version: 2, pattern: /\b(?:OPT|OPX)\/\d/ },
]

/** Systems that Bowser does not know. */
export const systems: readonly Rule[] = [
  { name: 'HarmonyOS', version: 2, pattern: /\b(?:Open)?Harmony(?:OS)?\b/i },
  { name: 'KaiOS', version: 2, pattern: /\bKAIOS\//i },
  { name: 'Chrome OS', version: 2, pattern: /\bCrOS\b/ },
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
