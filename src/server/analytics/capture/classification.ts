import { isbot, isbotMatch } from 'isbot'
import { agentOf, purposeOf, type Visit } from './visit.ts'

/** Only persons are counted; the others stay in the ledger with the reason. */
export type ScanClass = 'person' | 'bot' | 'preview' | 'prefetch' | 'head'

/** Raise it with every change of a rule: each row then names the rules that classified it. */
export const RULES_VERSION = 1

const RULE_MAX = 80

/** Programs that fetch a link to show a preview of it in a chat or a feed. */
const PREVIEW =
  /facebookexternalhit|facebookcatalog|WhatsApp\/|Slackbot-LinkExpanding|Slack-ImgProxy|Twitterbot|TelegramBot|Discordbot|LinkedInBot|SkypeUriPreview|Viber\/|Iframely|redditbot|Pinterestbot|vkShare|Mastodon\/|Bluesky Cardyb|Google-PageRenderer|MicrosoftPreview|Embedly/i

const PREFETCH = /prefetch|prerender|preview/i

/** The class of a visit, and the rule that decided it as `version:rule`. */
export function classify(visit: Visit): { class: ScanClass; rule: string } {
  const [scanClass, rule] = ruleFor(visit)
  return { class: scanClass, rule: `${RULES_VERSION}:${rule}`.slice(0, RULE_MAX) }
}

function ruleFor(visit: Visit): [ScanClass, string] {
  if (visit.method === 'HEAD') return ['head', 'method:head']
  const purpose = purposeOf(visit)
  if (PREFETCH.test(purpose)) return ['prefetch', `purpose:${purpose}`]
  const agent = agentOf(visit)
  if (!agent) return ['bot', 'agent:absent']
  const preview = PREVIEW.exec(agent)
  if (preview) return ['preview', `preview:${preview[0]}`]
  if (isbot(agent)) return ['bot', `isbot:${isbotMatch(agent)}`]
  return ['person', 'person']
}
