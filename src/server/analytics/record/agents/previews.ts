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
    examples: [
      'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
      // iMessage says all three, so that sites give it their pictures.
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
      'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
      'facebookexternalhit/1.1;line-poker/1.0',
    ],
  },
  {
    name: 'Meta',
    version: 2,
    pattern: /meta-externalfetcher/i,
    examples: [
      'meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    ],
  },
  {
    name: 'WhatsApp',
    version: 2,
    pattern: /^WhatsApp\b/i,
    examples: ['WhatsApp/2.23.20.0 A', 'WhatsApp/2.2413.51 W', 'WhatsApp/0.3.4479 N'],
  },
  { name: 'Viber', version: 2, pattern: /^Viber\b/i, examples: ['Viber', 'Viber/22.3.0'] },
  {
    name: 'Telegram',
    version: 1,
    pattern: /TelegramBot/i,
    examples: ['TelegramBot (like TwitterBot)'],
  },
  { name: 'Twitter', version: 1, pattern: /Twitterbot/i, examples: ['Twitterbot/1.0'] },
  {
    name: 'Slack',
    version: 1,
    pattern: /Slackbot|Slack-ImgProxy/i,
    examples: [
      'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
      'Slack-ImgProxy (+https://api.slack.com/robots)',
    ],
  },
  {
    name: 'Discord',
    version: 1,
    pattern: /Discordbot/i,
    examples: ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'],
  },
  {
    name: 'LinkedIn',
    version: 1,
    pattern: /LinkedInBot/i,
    examples: [
      'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    ],
  },
  {
    name: 'Skype',
    version: 1,
    pattern: /SkypeUriPreview/i,
    examples: [
      'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    ],
  },
  {
    name: 'Microsoft',
    version: 2,
    pattern: /MicrosoftPreview|BingPreview/i,
    examples: [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview) Chrome/120.0.0.0 Safari/537.36',
      'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
    ],
  },
  {
    name: 'Snapchat',
    version: 2,
    pattern: /Snap URL Preview/i,
    examples: [
      'Mozilla/5.0 (compatible; Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots)',
    ],
  },
  {
    name: 'Pinterest',
    version: 1,
    pattern: /Pinterest(?:bot|\/0\.)/i,
    examples: [
      'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)',
      'Pinterest/0.2 (+https://www.pinterest.com/bot.html)',
    ],
  },
  {
    name: 'Google',
    version: 2,
    pattern: /Google-PageRenderer|GoogleMessages|Google Web Preview/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/56.0.2924.87 Mobile Safari/537.36 Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/)',
    ],
  },
  {
    name: 'Mastodon',
    version: 1,
    pattern: /Mastodon\/|Pleroma|Misskey/i,
    examples: [
      'Mastodon/4.3.2 (http.rb/5.2.0; +https://mastodon.social/) Bot',
      'http.rb/5.1.1 (Mastodon/4.1.2; +https://mastodon.social/)',
    ],
  },
  {
    name: 'Bluesky',
    version: 1,
    pattern: /Bluesky Cardyb/i,
    examples: ['Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)'],
  },
  {
    name: 'reddit',
    version: 1,
    pattern: /redditbot/i,
    examples: ['Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)'],
  },
  {
    name: 'VK',
    version: 1,
    pattern: /vkShare/i,
    examples: ['Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)'],
  },
  {
    name: 'Iframely',
    version: 1,
    pattern: /Iframely|Embedly/i,
    examples: [
      'Iframely/1.3.1 (+https://iframely.com/docs/about)',
      'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
    ],
  },
]
