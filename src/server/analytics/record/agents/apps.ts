import type { Rule } from './rule.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; SM-S911B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/123.0.6312.80 Mobile Safari/537.36'

/*
 * Apps that people scan codes with, by what their browsers say after Mozilla/5.0. Each names the
 * browser. The more special comes first: Messenger before Facebook, WeCom before WeChat.
 */
export const apps: readonly Rule[] = [
  {
    name: 'WeCom',
    version: 2,
    pattern: /\bwxwork\//i,
    examples: [`${IPHONE} Mobile/15E148 wxwork/4.1.22 MicroMessenger/7.0.1 Language/zh`],
  },
  {
    name: 'WeChat',
    version: 2,
    pattern: /\bMicroMessenger\b/i,
    examples: [
      `${IPHONE} Mobile/15E148 MicroMessenger/8.0.48(0x18003030) NetType/WIFI Language/zh_CN`,
      'Mozilla/5.0 (Linux; Android 12; M2102J2SC Build/SKQ1.211006.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/86.0.4240.99 XWEB/4267 MMWEBSDK/20220505 Mobile Safari/537.36 MMWEBID/4029 MicroMessenger/8.0.23.2160(0x28001757) WeChat/arm64 Weixin NetType/4G Language/zh_CN ABI/arm64',
      'Mozilla/5.0 (Linux; Android 7.1.2; Redmi 4X Build/N2G47H; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/66.0.3359.126 MQQBrowser/6.2 TBS/045131 Mobile Safari/537.36 MMWEBID/9286 MicroMessenger/7.0.13.1640(0x27000D37) Process/tools NetType/WIFI Language/zh_CN ABI/arm64 WeChat/arm64',
    ],
  },
  {
    name: 'DingTalk',
    version: 2,
    pattern: /\bDingTalk\b/i,
    examples: [
      'Mozilla/5.0 (Linux; U; Android 12; zh-CN; M2102J2SC Build/SKQ1.211006.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/69.0.3497.100 UWS/3.22.1.210 Mobile Safari/537.36 AliApp(DingTalk/6.5.20) com.alibaba.android.rimet/24646881 Channel/700159 language/zh-CN abi/64 UT4Aplus/0.2.25 colorScheme/light',
    ],
  },
  {
    name: 'Taobao',
    version: 2,
    pattern: /\bAliApp\((?:TB|TM|LT)\//i,
    examples: [`${IPHONE} Mobile/15E148 AliApp(TB/10.35.10) WindVane/8.7.2 1170x2532 WK`],
  },
  {
    name: 'Alipay',
    version: 2,
    pattern: /\bAlipayClient|AliApp\(AP|AlipayDefined/i,
    examples: [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 12_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/16E227 ChannelId(21) NebulaSDK/1.8.100112 Nebula WK PSDType(1) AlipayDefined(nt:WIFI,ws:375|603|2.0) AliApp(AP/10.1.60.6001) AlipayClient/10.1.60.6001 Alipay Language/zh-Hans',
      'Mozilla/5.0 (Linux; U; Android 4.2.1; zh-cn; HUAWEI G610-T00 Build/HuaweiG610-T00) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30 AlipayDefined(nt:WIFI,ws:360|640|1.5) AliApp(AP/9.0.1.073001) AlipayClient/9.0.1.073001 GCanvas/1.4.2.15',
    ],
  },
  {
    name: 'WhatsApp',
    version: 2,
    pattern: /\bWhatsApp\b/i,
    examples: [`${IPHONE} Mobile/15E148 WhatsApp/2.24.7.80`, `${ANDROID} WhatsApp/2.24.6.77`],
  },
  {
    name: 'Viber',
    version: 2,
    pattern: /\bViber\b/i,
    examples: [`${IPHONE} Mobile/15E148 Viber/22.3.0.2`, `${ANDROID} Viber/22.3.1.0`],
  },
  {
    name: 'LINE',
    version: 2,
    pattern: /\bLine\/\d/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 5.0; ASUS_Z00AD Build/LRX21V; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/51.0.2704.81 Mobile Safari/537.36 Line/6.5.1/IAB',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 11_2_6 like Mac OS X) AppleWebKit/604.5.6 (KHTML, like Gecko) Mobile/15D100 Safari Line/8.4.1',
    ],
  },
  {
    name: 'KakaoTalk',
    version: 2,
    pattern: /\bKAKAOTALK\b/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 12; SM-G988N Build/SP1A.210812.016; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.79 Mobile Safari/537.36;KAKAOTALK 2409760',
      'Mozilla/5.0 (iPhone; CPU; iPhone OS 15_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 BizWebView KAKAOTALK 9.7.6',
    ],
  },
  {
    name: 'KakaoStory',
    version: 2,
    pattern: /\bKAKAOSTORY\b/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 12; SM-G988N Build/SP1A.210812.016; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.79 Mobile Safari/537.36 KAKAOSTORY/6.8.3_21046',
    ],
  },
  {
    name: 'NAVER',
    version: 2,
    pattern: /\bNAVER\(inapp/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 12; SM-G988N Build/SP1A.210812.016; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/90.0.4430.232 Whale/1.0.0.0 Crosswalk/26.90.3.21 Mobile Safari/537.36 NAVER(inapp; search; 1010; 11.11.2)',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 13_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Mobile/15E148 Safari/605.1 NAVER(inapp; search; 720; 10.25.0; 11PRO)',
    ],
  },
  {
    name: 'Daum',
    version: 2,
    pattern: /\bDaumApps\b/i,
    examples: [`${ANDROID} DaumApps/7.17.0 DaumDevice/mobile`],
  },
  {
    name: 'Threads',
    version: 2,
    pattern: /\bBarcelona \d/,
    examples: [
      `${IPHONE} Mobile/15E148 Barcelona 325.0.0.31.109 (iPhone15,2; iOS 17_4; en_US; en; scale=3.00; 1179x2556; 578104032)`,
    ],
  },
  {
    name: 'Instagram',
    version: 2,
    pattern: /\bInstagram\b/i,
    examples: [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 11_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E216 Instagram 41.0.0.14.90 (iPhone9,3; iOS 11_3; pl_PL; pl-PL; scale=2.00; gamut=wide; 750x1334)',
      `${ANDROID} Instagram 325.0.0.35.91 Android (34/14; 480dpi; 1080x2131; samsung; SM-S911B; dm1q; qcom; de_DE; 576102117)`,
    ],
  },
  {
    name: 'Messenger',
    version: 2,
    pattern: /FBAN\/Messenger|FB_IAB\/(?:MESSENGER|Orca)|MetaIAB Messenger/i,
    examples: [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 10_0_1 like Mac OS X) AppleWebKit/602.1.50 (KHTML, like Gecko) Mobile/14A403 [FBAN/MessengerForiOS;FBAV/87.0.0.24.69;FBBV/38293694;FBRV/0;FBDV/iPhone8,4;FBMD/iPhone;FBSN/iPhone OS;FBSV/10.0.1;FBSS/2;FBCR/AT&T;FBID/phone;FBLC/en_US;FBOP/5]',
      `${ANDROID} [FB_IAB/Orca-Android;FBAV/448.0.0.46.102;]`,
    ],
  },
  {
    name: 'Facebook',
    version: 2,
    pattern: /\bFB(?:AN|AV|_IAB|IOS)\b|\bMetaIAB\b/,
    examples: [
      'Mozilla/5.0 (Linux; Android 9; ONEPLUS A6003 Build/PKQ1.180716.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/73.0.3683.90 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/214.0.0.43.83;]',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 12_1_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/16D57 [FBAN/FBIOS;FBDV/iPhone11,2;FBMD/iPhone;FBSN/iOS;FBSV/12.1.4;FBSS/3;FBCR/KPN NL;FBID/phone;FBLC/en_GB;FBOP/5]',
      '[FBAN/FB4A;FBAV/567.1.0.52.74;FBBV/1003893689;FBDM/{density=3.0,width=1080,height=2340};FBLC/nl_NL;FBRV/1012267334;FBCR/NL KPN;FBMF/samsung;FBBD/samsung;FBPN/com.facebook.katana;FBDV/SM-S921B;FBSV/16;FBOP/1;FBCA/arm64-v8a:;]',
      'Mozilla/5.0 (Linux; Android 16; Pixel 10 Pro XL Build/CP1A.260305.018; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/146.0.7680.174 Mobile Safari/537.36 MetaIAB Facebook',
    ],
  },
  {
    name: 'Douyin',
    version: 2,
    pattern: /\baweme[_/]/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 12; M2102J2SC Build/SKQ1.211006.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/75.0.3770.156 Mobile Safari/537.36 aweme_210600 JsSdk/1.0 NetType/4G Channel/xiaomi_1128_64 AppName/aweme app_version/21.6.0 ByteLocale/zh-CN Region/CN AppSkin/black AppTheme/dark BytedanceWebview/d8a21c6 TTWebView/0751130025454',
    ],
  },
  {
    name: 'Toutiao',
    version: 2,
    pattern: /\bNewsArticle\b|\bToutiaoMicroApp\b/i,
    examples: [`${ANDROID} JsSdk/2 NewsArticle/9.6.8 NetType/wifi TTWebView/0751130025454`],
  },
  {
    name: 'Lark',
    version: 2,
    pattern: /\b(?:Lark|Feishu)\b/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 9; MI 6X Build/PKQ1.180904.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/75.0.3770.156 Mobile Safari/537.36 Lark/5.10.4 LarkLocale/zh_CN ChannelName/Feishu TTWebView/0751130016452',
    ],
  },
  {
    name: 'TikTok',
    version: 2,
    pattern: /\b(?:musical_ly|trill)[_/]?|\bTikTok\b|\bBytedanceWebview\b/i,
    examples: [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 BytedanceWebview/d8a21c6 musical_ly_30.9.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/da Region/DK FalconTag/4AC4D114-6C20-4FB0-98BA-8E6B1AFBCB47',
      'Mozilla/5.0 (Linux; Android 10; SM-G973F Build/QQ3A.200805.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/85.0.4183.101 Mobile Safari/537.36 trill_2021806060 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/musical_ly app_version/18.6.6 ByteLocale/fr ByteFullLocale/fr Region/FR',
    ],
  },
  {
    name: 'Xiaohongshu',
    version: 2,
    pattern: /\bxhs(?:discover|minapp)?\b|\bdiscover\/\d.*\bNetType/i,
    examples: [`${IPHONE} Mobile/15E148 xhsdiscover/8.29 NetType/WiFi`],
  },
  {
    name: 'Weibo',
    version: 2,
    pattern: /__weibo__|\bWeibo\b/i,
    examples: [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 12_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Weibo (iPhone9,1__weibo__9.3.1__iphone__os12.2)',
      'Mozilla/5.0 (Linux; Android 5.0.2; vivo X5M Build/LRX22G) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/37.0.0.0 Mobile Safari/537.36 Weibo (vivo-vivo X5M__weibo__5.7.1__android__android5.0.2)',
    ],
  },
  {
    name: 'QQ',
    version: 2,
    pattern: /\sQQ\/\d/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 5.1.1; SM-N9108V Build/LMY47X) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/37.0.0.0 Mobile MQQBrowser/6.2 TBS/036222 Safari/537.36 V1_AND_SQ_6.2.0_320_YYB_D QQ/6.2.0.2655 NetType/WIFI WebP/0.3.0 Pixel/1440',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 9_3_1 like Mac OS X) AppleWebKit/601.1.46 (KHTML, like Gecko) Mobile/13E238 QQ/6.3.3.432 V1_IPH_SQ_6.3.3_1_APP_A Pixel/640 Core/UIWebView NetType/WIFI Mem/47',
    ],
  },
  {
    name: 'Sogou',
    version: 2,
    pattern: /\bSogou(?:Search|MobileBrowser|MSE)\b/i,
    examples: [
      `${ANDROID} SogouSearch Android1.0 version3.0 AppVersion/7200`,
      `${ANDROID} SogouMSE,SogouMobileBrowser/5.30.8`,
    ],
  },
  {
    name: 'Baidu',
    version: 2,
    pattern: /\bbaiduboxapp\b|\bbaidubrowser\b|\bbdbrowser/i,
    examples: [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 13_3_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 SP-engine/2.16.0 main/1.0 baiduboxapp/11.20.0.17 (Baidu; P2 13.3.1) NABar/1.0',
    ],
  },
  {
    name: 'Snapchat',
    version: 2,
    pattern: /Snapchat ?\/?\d/i,
    examples: [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 13_6_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.2 Mobile/15E148 Snapchat/11.0.6.81 (like Safari/604.1)',
      'Mozilla/5.0 (Linux; Android 9; SM-N960U Build/PPR1.180610.011; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.96 Mobile Safari/537.36Snapchat10.70.0.0 (SM-N960U; Android 9#N960USQS3CSJ2#28; gzip)',
    ],
  },
  {
    name: 'Pinterest',
    version: 2,
    pattern: /\[?Pinterest\/(?:iOS|Android)/i,
    examples: [`${IPHONE} Mobile/15E148 [Pinterest/iOS]`, `${ANDROID} [Pinterest/Android]`],
  },
  {
    name: 'Telegram',
    version: 2,
    pattern: /\bTelegram(?:-Android)?\/\d|\bTelegram\b.*\bSDK \d/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 11; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.6668.70 Mobile Safari/537.36 Telegram-Android/11.2.1 (Tecno mobile limited TECNO CH7n; Android 11; SDK 30; AVERAGE)',
    ],
  },
  {
    name: 'Twitter',
    version: 2,
    pattern: /\bTwitter for iP|\bTwitterAndroid\b/i,
    examples: [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 10_0_1 like Mac OS X) AppleWebKit/602.1.32 (KHTML, like Gecko) Mobile/14A403 Twitter for iPhone',
      `${ANDROID} TwitterAndroid`,
    ],
  },
  {
    name: 'LinkedIn',
    version: 2,
    pattern: /\bLinkedIn(?:App)?\b/i,
    examples: [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 11_2_1 like Mac OS X) AppleWebKit/602.1.50 (KHTML, like Gecko) LinkedIn/9.11.908.1 Version/10.0 Mobile/15C153 Safari/602.1',
      `${IPHONE} Mobile/15E148 [LinkedInApp]/9.29.4962`,
    ],
  },
  {
    name: 'Zalo',
    version: 2,
    pattern: /\bZalo(?:Theme)?\b/i,
    examples: [`${ANDROID} Zalo android/240302903 ZaloTheme/light ZaloLanguage/vi`],
  },
  {
    name: 'Yahoo Japan',
    version: 2,
    pattern: /\bYJApp-/i,
    examples: [`${IPHONE} Mobile/15E148 YJApp-IOS jp.co.yahoo.ipn.appli/4.101.1`],
  },
]
