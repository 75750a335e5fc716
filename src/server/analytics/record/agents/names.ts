import Bowser from 'bowser'
import type { Rule } from './rule.ts'

/** Browsers that Bowser does not know, or knows by another's name. */
export const browsers: readonly Rule[] = [
  {
    name: 'Huawei Browser',
    version: 2,
    pattern: /\bHuaweiBrowser\//i,
    examples: [
      'Mozilla/5.0 (Linux; Android 12; NOH-NX9; HMSCore 6.13.0.322) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.5735.196 HuaweiBrowser/14.0.5.303 Mobile Safari/537.36',
    ],
  },
  {
    name: 'Mi Browser',
    version: 2,
    pattern: /\bMiuiBrowser\//i,
    examples: [
      'Mozilla/5.0 (Linux; U; Android 13; de-de; 23043RP34G Build/TKQ1.221114.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.9.0-gn',
    ],
  },
  {
    name: 'DuckDuckGo',
    version: 2,
    pattern: /\b(?:DuckDuckGo|Ddg)\/\d/,
    examples: [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15',
    ],
  },
  {
    name: 'Ecosia',
    version: 2,
    pattern: /\bEcosia (?:ios|android)@/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/111.0.0.0 Mobile Safari/537.36 (Ecosia android@111.0.5563.116)',
    ],
  },
  {
    name: 'Opera',
    version: 2,
    pattern: /\b(?:OPT|OPX)\/\d/,
    examples: [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1 OPT/4.6.0',
    ],
  },
]

/** Systems that Bowser does not know. */
export const systems: readonly Rule[] = [
  {
    name: 'HarmonyOS',
    version: 2,
    pattern: /\b(?:Open)?Harmony(?:OS)?\b/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 10; HarmonyOS; AGS3-W09; HMSCore 6.12.0.302) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4844.88 HuaweiBrowser/14.0.2.311 Mobile Safari/537.36',
    ],
  },
  {
    name: 'KaiOS',
    version: 2,
    pattern: /\bKAIOS\//i,
    examples: ['Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5.1'],
  },
  {
    name: 'Chrome OS',
    version: 2,
    pattern: /\bCrOS\b/,
    examples: [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    ],
  },
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
