import type { Rule } from './rule.ts'

/*
 * Apps that people scan codes with, by what their browsers say after Mozilla/5.0. Each names the
 * browser. The more special comes first: Messenger before Facebook, WeCom before WeChat.
 */
export const apps: readonly Rule[] = [
  { name: 'WeCom', pattern: /\bwxwork\//i },
  { name: 'WeChat', pattern: /\bMicroMessenger\b/i },
  { name: 'DingTalk', pattern: /\bDingTalk\b/i },
  { name: 'Taobao', pattern: /\bAliApp\((?:TB|TM|LT)\//i },
  { name: 'Alipay', pattern: /\bAlipayClient|AliApp\(AP|AlipayDefined/i },
  { name: 'WhatsApp', pattern: /\bWhatsApp\b/i },
  { name: 'Viber', pattern: /\bViber\b/i },
  { name: 'LINE', pattern: /\bLine\/\d/i },
  { name: 'KakaoTalk', pattern: /\bKAKAOTALK\b/i },
  { name: 'KakaoStory', pattern: /\bKAKAOSTORY\b/i },
  { name: 'NAVER', pattern: /\bNAVER\(inapp/i },
  { name: 'Daum', pattern: /\bDaumApps\b/i },
  { name: 'Threads', pattern: /\bBarcelona \d/ },
  { name: 'Instagram', pattern: /\bInstagram\b/i },
  { name: 'Messenger', pattern: /FBAN\/Messenger|FB_IAB\/(?:MESSENGER|Orca)|MetaIAB Messenger/i },
  { name: 'Facebook', pattern: /\bFB(?:AN|AV|_IAB|IOS)\b|\bMetaIAB\b/ },
  { name: 'Douyin', pattern: /\baweme[_/]/i },
  { name: 'Toutiao', pattern: /\bNewsArticle\b|\bToutiaoMicroApp\b/i },
  { name: 'Lark', pattern: /\b(?:Lark|Feishu)\b/i },
  { name: 'TikTok', pattern: /\b(?:musical_ly|trill)[_/]?|\bTikTok\b|\bBytedanceWebview\b/i },
  { name: 'Xiaohongshu', pattern: /\bxhs(?:discover|minapp)?\b|\bdiscover\/\d.*\bNetType/i },
  { name: 'Weibo', pattern: /__weibo__|\bWeibo\b/i },
  { name: 'QQ', pattern: /\sQQ\/\d/i },
  { name: 'Sogou', pattern: /\bSogou(?:Search|MobileBrowser|MSE)\b/i },
  { name: 'Baidu', pattern: /\bbaiduboxapp\b|\bbaidubrowser\b|\bbdbrowser/i },
  { name: 'Snapchat', pattern: /Snapchat ?\/?\d/i },
  { name: 'Pinterest', pattern: /\[?Pinterest\/(?:iOS|Android)/i },
  { name: 'Telegram', pattern: /\bTelegram(?:-Android)?\/\d|\bTelegram\b.*\bSDK \d/i },
  { name: 'Twitter', pattern: /\bTwitter for iP|\bTwitterAndroid\b/i },
  { name: 'LinkedIn', pattern: /\bLinkedIn(?:App)?\b/i },
  { name: 'Zalo', pattern: /\bZalo(?:Theme)?\b/i },
  { name: 'Yahoo Japan', pattern: /\bYJApp-/i },
]

/*
 * Programs that fetch a link to show a preview of it in a chat or a feed. Some apps preview and browse
 * under one name; the preview's agent begins with that name, the browser's with Mozilla/5.0.
 */
export const previews: readonly Rule[] = [
  { name: 'facebookexternalhit', pattern: /facebookexternalhit|facebookcatalog|Facebot/i },
  { name: 'Meta', pattern: /meta-externalfetcher/i },
  { name: 'WhatsApp', pattern: /^WhatsApp\b/i },
  { name: 'Viber', pattern: /^Viber\b/i },
  { name: 'Telegram', pattern: /TelegramBot/i },
  { name: 'Twitter', pattern: /Twitterbot/i },
  { name: 'Slack', pattern: /Slackbot|Slack-ImgProxy/i },
  { name: 'Discord', pattern: /Discordbot/i },
  { name: 'LinkedIn', pattern: /LinkedInBot/i },
  { name: 'Skype', pattern: /SkypeUriPreview/i },
  { name: 'Microsoft', pattern: /MicrosoftPreview|BingPreview/i },
  { name: 'Snapchat', pattern: /Snap URL Preview/i },
  { name: 'Pinterest', pattern: /Pinterest(?:bot|\/0\.)/i },
  { name: 'Google', pattern: /Google-PageRenderer|GoogleMessages|Google Web Preview/i },
  { name: 'Mastodon', pattern: /Mastodon\/|Pleroma|Misskey/i },
  { name: 'Bluesky', pattern: /Bluesky Cardyb/i },
  { name: 'reddit', pattern: /redditbot/i },
  { name: 'VK', pattern: /vkShare/i },
  { name: 'Iframely', pattern: /Iframely|Embedly/i },
]
