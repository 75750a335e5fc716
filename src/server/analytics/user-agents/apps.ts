import type { Rule } from './rule.ts'

/*
 * Apps that people scan codes with, by what their browsers say after Mozilla/5.0. Each names the
 * browser. The more special comes first: Messenger before Facebook, WeCom before WeChat.
 */
export const apps: readonly Rule[] = [
  { name: 'WeCom', version: 2, pattern: /\bwxwork\//i },
  { name: 'WeChat', version: 2, pattern: /\bMicroMessenger\b/i },
  { name: 'DingTalk', version: 2, pattern: /\bDingTalk\b/i },
  { name: 'Taobao', version: 2, pattern: /\bAliApp\((?:TB|TM|LT)\//i },
  { name: 'Alipay', version: 2, pattern: /\bAlipayClient|AliApp\(AP|AlipayDefined/i },
  { name: 'WhatsApp', version: 2, pattern: /\bWhatsApp\b/i },
  { name: 'Viber', version: 2, pattern: /\bViber\b/i },
  { name: 'LINE', version: 2, pattern: /\bLine\/\d/i },
  { name: 'KakaoTalk', version: 2, pattern: /\bKAKAOTALK\b/i },
  { name: 'KakaoStory', version: 2, pattern: /\bKAKAOSTORY\b/i },
  { name: 'NAVER', version: 2, pattern: /\bNAVER\(inapp/i },
  { name: 'Daum', version: 2, pattern: /\bDaumApps\b/i },
  { name: 'Threads', version: 2, pattern: /\bBarcelona \d/ },
  { name: 'Instagram', version: 2, pattern: /\bInstagram\b/i },
  {
    name: 'Messenger',
    version: 2,
    pattern: /FBAN\/Messenger|FB_IAB\/(?:MESSENGER|Orca)|MetaIAB Messenger/i,
  },
  { name: 'Facebook', version: 2, pattern: /\bFB(?:AN|AV|_IAB|IOS)\b|\bMetaIAB\b/ },
  { name: 'Douyin', version: 2, pattern: /\baweme[_/]/i },
  { name: 'Toutiao', version: 2, pattern: /\bNewsArticle\b|\bToutiaoMicroApp\b/i },
  { name: 'Lark', version: 2, pattern: /\b(?:Lark|Feishu)\b/i },
  {
    name: 'TikTok',
    version: 2,
    pattern: /\b(?:musical_ly|trill)[_/]?|\bTikTok\b|\bBytedanceWebview\b/i,
  },
  {
    name: 'Xiaohongshu',
    version: 2,
    pattern: /\bxhs(?:discover|minapp)?\b|\bdiscover\/\d.*\bNetType/i,
  },
  { name: 'Weibo', version: 2, pattern: /__weibo__|\bWeibo\b/i },
  { name: 'QQ', version: 2, pattern: /\sQQ\/\d/i },
  { name: 'Sogou', version: 2, pattern: /\bSogou(?:Search|MobileBrowser|MSE)\b/i },
  { name: 'Baidu', version: 2, pattern: /\bbaiduboxapp\b|\bbaidubrowser\b|\bbdbrowser/i },
  { name: 'Snapchat', version: 2, pattern: /Snapchat ?\/?\d/i },
  { name: 'Pinterest', version: 2, pattern: /\[?Pinterest\/(?:iOS|Android)/i },
  { name: 'Telegram', version: 2, pattern: /\bTelegram(?:-Android)?\/\d|\bTelegram\b.*\bSDK \d/i },
  { name: 'Twitter', version: 2, pattern: /\bTwitter for iP|\bTwitterAndroid\b/i },
  { name: 'LinkedIn', version: 2, pattern: /\bLinkedIn(?:App)?\b/i },
  { name: 'Zalo', version: 2, pattern: /\bZalo(?:Theme)?\b/i },
  { name: 'Yahoo Japan', version: 2, pattern: /\bYJApp-/i },
]

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
