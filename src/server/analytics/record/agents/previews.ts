import type { Rule } from './rule.ts'

/*
 * Programs that fetch a link to show a preview of it in a chat or a feed. Some apps preview and browse
 * under one name; the preview's agent begins with that name, the browser's with Mozilla/5.0.
 */
export const previews: readonly Rule[] = [
  {
    name: 'facebookexternalhit',
    version: 1,
    pattern: /facebookexternalhit|facebookcatalog|Facebot/i,
  },
  { name: 'Meta', version: 2, pattern: /meta-externalfetcher/i },
  { name: 'WhatsApp', version: 2, pattern: /^WhatsApp\b/i },
  { name: 'Viber', version: 2, pattern: /^Viber\b/i },
  { name: 'Telegram', version: 1, pattern: /TelegramBot/i },
  { name: 'Twitter', version: 1, pattern: /Twitterbot/i },
  { name: 'Slack', version: 1, pattern: /Slackbot|Slack-ImgProxy/i },
  { name: 'Discord', version: 1, pattern: /Discordbot/i },
  { name: 'LinkedIn', version: 1, pattern: /LinkedInBot/i },
  { name: 'Skype', version: 1, pattern: /SkypeUriPreview/i },
  { name: 'Microsoft', version: 2, pattern: /MicrosoftPreview|BingPreview/i },
  { name: 'Snapchat', version: 2, pattern: /Snap URL Preview/i },
  { name: 'Pinterest', version: 1, pattern: /Pinterest(?:bot|\/0\.)/i },
  { name: 'Google', version: 2, pattern: /Google-PageRenderer|GoogleMessages|Google Web Preview/i },
  { name: 'Mastodon', version: 1, pattern: /Mastodon\/|Pleroma|Misskey/i },
  { name: 'Bluesky', version: 1, pattern: /Bluesky Cardyb/i },
  { name: 'reddit', version: 1, pattern: /redditbot/i },
  { name: 'VK', version: 1, pattern: /vkShare/i },
  { name: 'Iframely', version: 1, pattern: /Iframely|Embedly/i },
]
