import type { DeviceName, Rule } from './rule.ts'

export type DeviceRule = Rule & { device: DeviceName }

/*
 * What a machine says about itself, in the order in which it is asked. These know it better than
 * client hints do: a television's browser says that it is no phone, and nothing more.
 */
export const machines: readonly DeviceRule[] = [
  {
    name: 'tv',
    device: 'TV',
    version: 2,
    pattern:
      /smart-?tv|hbbtv|ce-html|netcast|nettv|web0s|inettvbrowser|internet\.tv|google ?tv|android ?tv|apple ?tv|\btvos\b|viera|bravia|sonydtv|sonycebrowser|aquosbrowser|aquos-(?:as|dmp)|dlnadoc|hybridcast|kreatv|vidaa|smartcast|vizio|\broku|opentv|espial|maple[ _]|opera tv|philipstv|whaletv|titanos|fire ?tv|crkey|chromecast|\bmibox|\bmi ?tv|tv ?box|shield android|nexus player|\bstb\b|set-?top|large ?screen|kylo|boxee|\bdtv\b|webtv/i,
    examples: [
      'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 76.0.3809.146/6.0 TV Safari/537.36',
      'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.79 Safari/537.36 WebAppManager',
      'Mozilla/5.0 (Linux; Andr0id 9; BRAVIA 4K UR2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/88.0.4324.152 Safari/537.36 OPR/46.0.2207.0 OMI/4.21.0.273.DIA6.149 Model/Sony-BRAVIA-4K-UR2',
      'HbbTV/1.1.1 (+PVR;Humax;HD FOX+;1.00.12;1.0)CE-HTML/1.0 ANTGalio/3.1.1.23.04.09',
      'Roku/DVP-9.10 (519.10E04111A)',
      'Mozilla/5.0 (CrKey armv7l 1.5.16041) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/31.0.1650.0 Safari/537.36',
    ],
  },
  {
    // Amazon's names of its sticks and boxes: developer.amazon.com, "Identify Fire TV devices".
    name: 'fire-tv',
    device: 'TV',
    version: 2,
    pattern: /\bAFT[A-Z]{1,6}\d{0,3}\b/,
    examples: [
      'Mozilla/5.0 (Linux; Android 5.1; AFTS Build/LMY47O) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/41.99900.2250.0242 Safari/537.36',
    ],
  },
  {
    name: 'android-tv',
    device: 'TV',
    version: 2,
    pattern: /^(?!.*\bMobile\b)(?=.*Android).*(?:\b|_)(?:[AG]?TV|OTT)(?:\b|[_\d])/,
    examples: [
      'Mozilla/5.0 (Linux; Android 11; TCL TV Build/RP1A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/110.0.0.0 Safari/537.36',
    ],
  },
  {
    name: 'android-box',
    device: 'TV',
    version: 2,
    pattern: /^(?!.*\bMobile\b)(?=.*Android).*\b(?:MXQ|X96|H96|T95|A95X|TX[39]|NEXBOX|M8S)/,
    examples: [
      'Mozilla/5.0 (Linux; Android 7.1.2; X96mini Build/NHG47L) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0.4280.101 Safari/537.36',
    ],
  },
  {
    name: 'console',
    device: 'Other',
    version: 2,
    pattern: /nintendo|playstation|\bpsp\b|\bxbox\b|\bouya\b/i,
    examples: [
      'Mozilla/5.0 (PlayStation 5 3.20) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
      'Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) AppleWebKit/606.4 (KHTML, like Gecko) NF/6.0.1.15.4 NintendoBrowser/5.1.0.20393',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/48.0.2564.82 Safari/537.36 Edge/20.02',
    ],
  },
  {
    name: 'headset-watch-car',
    device: 'Other',
    version: 2,
    pattern:
      /oculusbrowser|\bpico ?(?:neo|\d)|watchos|apple ?watch|\bSM-R\d{3}|qtcarbrowser|\btesla\//i,
    examples: [
      'Mozilla/5.0 (X11; Linux x86_64; Quest 3) AppleWebKit/537.36 (KHTML, like Gecko) OculusBrowser/32.0 Chrome/122.0.6261.139 VR Safari/537.36',
      'Mozilla/5.0 (X11; GNU/Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chromium/79.0.3945.130 Chrome/79.0.3945.130 Safari/537.36 Tesla/2020.16.2.1-e99c70fff409',
    ],
  },
  {
    name: 'windows-phone',
    device: 'Mobile',
    version: 2,
    pattern:
      /windows phone|wpdesktop|iemobile|windows ce|zunewp|\bppc;|opera mobi|palmsource|\bwds \d|^htc |\b(?:htc|xda|mda)_/i,
    examples: [
      'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; ARM; Trident/6.0; Touch; WPDesktop; Lumia 920)',
    ],
  },
  {
    name: 'windows-or-chrome-os',
    device: 'Desktop',
    version: 2,
    pattern: /windows nt|windows 9[58]|\bwin9[58]|\bwinnt|\bwindows[; ]|\bCrOS\b/i,
    examples: [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
      'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; Tablet PC 2.0)',
    ],
  },
  {
    name: 'tablet',
    device: 'Tablet',
    version: 2,
    pattern:
      /\bipad|\btablet\b(?! pc)|playbook|touchpad|\bkindle\b|\bopera tablet|\bsilk[/-](?!.*\bmobile\b)/i,
    examples: [
      'Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
      'Mozilla/5.0 (Android 13; Tablet; rv:124.0) Gecko/124.0 Firefox/124.0',
      'Mozilla/5.0 (Tablet; OpenHarmony 4.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1',
      // Silk asks for desktop pages under a Mac's name.
      'Mozilla/5.0 (Macintosh; U; Intel Mac OS X 10_6_3; en-us; Silk/1.1.0-80) AppleWebKit/533.16 (KHTML, like Gecko) Version/5.0 Safari/533.16 Silk-Accelerated=true',
    ],
  },
  {
    // An iPad says Macintosh; its browsers but Safari still say what iOS's browsers do.
    name: 'ipad-as-mac',
    device: 'Tablet',
    version: 2,
    pattern: /Macintosh.*(?:\bMobile\/|\b(?:CriOS|FxiOS|EdgiOS|OPiOS)\/)/,
    examples: [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_6) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/123.0.6312.52 Version/15.6 Safari/605.1.15',
    ],
  },
  {
    name: 'samsung-tablet',
    device: 'Tablet',
    version: 2,
    pattern:
      /\b(?:SM-[TXP]\d{3}|GT-P\d{4}|GT-N(?:51|80)\d\d|SCH-[IP]\d{3}\b.*Tab|SGH-T849|SHW-M[13]8\d|SC-01[CE]|Galaxy Tab)/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 13; SM-X205 Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/122.0.6261.119 Mobile Safari/537.36 Instagram 322.0.0.37.95',
    ],
  },
  {
    // Amazon's names of its Fire tablets: developer.amazon.com, "Fire tablet device specifications".
    name: 'fire-tablet',
    device: 'Tablet',
    version: 2,
    pattern: /\bKF[A-Z]{2,7}\b/,
    examples: [
      'Mozilla/5.0 (Linux; Android 11; KFTRWI Build/RS8332.3115N; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/118.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/430.0.0.23.113;]',
    ],
  },
  {
    // Huawei and Honor end the model of a Wi-Fi tablet with W09, W19 and so on; phones have none.
    name: 'huawei-tablet',
    device: 'Tablet',
    version: 2,
    pattern:
      /\b[A-Z]{2,3}\d?-W\d[09]\b|\b(?:AGR|AGS\d?|AGM\d?|BAH\d?|BTV|BZ[AKTW]\d?|CMR|CPN|DBY\d?|HDL|JDN\d?|KOB\d?|MON|MRO|MRX|MRR|SCMR?|SHT|VRD|WGRR?|FRD-PAD)-[AL][LN]?\d{2}|(?:Media|Mate|Honor ?)Pad\b/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 10; HarmonyOS; AGS3-W09; HMSCore 6.12.0.302) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4844.88 HuaweiBrowser/14.0.2.311 Mobile Safari/537.36',
    ],
  },
  {
    name: 'lenovo-tablet',
    device: 'Tablet',
    version: 2,
    pattern:
      /\bTB-?[A-Z]?\d{3,4}[A-Z]*|\bYT\d?-X?\d{3,4}|\bYOGA Tab|\bIdeaTab|\bLenovo ?(?:TAB|B[68]0\d0|A\d{4}-[HF])/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 12; TB-X606F Build/SP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36',
    ],
  },
  {
    name: 'xiaomi-tablet',
    device: 'Tablet',
    version: 2,
    pattern:
      /\b(?:Mi|Redmi|Xiaomi|POCO) ?Pad\b|\b2\d{4,5}RP\w{2,5}|\bM2105K81A?C?|\b2105118[23][CG]|\b2208128[13][ACG]/i,
    examples: [
      'Mozilla/5.0 (Linux; U; Android 13; de-de; 23043RP34G Build/TKQ1.221114.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.9.0-gn',
    ],
  },
  {
    name: 'pad',
    device: 'Tablet',
    version: 2,
    // Coolpad and PadFone are phones.
    pattern:
      /^(?=.*Android).*(?:(?<!cool|phone|tech )(?:Tab|Pad)(?:[\d_]|\b)|\b(?:TabPro|Slate|Xoom|Iconia|Transformer|Nook|iPlay|HTC Flyer|P?MID\d{2,4})|\bNexus (?:7|9|10)\b|\bPixel C\b|\bOPD\d{4}|\bRMP\d{4}|\bSGP\d{3}|\bLG-VK?\d{3}|\bTF\d{3}|\bME\d{3}[A-Z]|\bP0[0-2]\w\b|\bK0[01]\w\b|\bA1-8\d\d|\bB[13]-[A7]\d\d|\bBQ(?:ru)?-(?:[7-9]|1\d)\d{2,3}[A-Z]|\bTZ\d{2,3}\b|\bPMT\d{4})/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 14; OPD2203 Build/UKQ1; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/122.0.0.0 Mobile Safari/537.36',
      'Mozilla/5.0 (Linux; Android 4.4.2; LIFETAB E10316 Build/KOT49H) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/30.0.0.0 Mobile Safari/537.36',
    ],
  },
]

/** What is asked where neither the machine nor a client hint says more. */
export const habits: readonly DeviceRule[] = [
  {
    // Google's own rule: a phone's browser says Mobile, a tablet's does not. It holds for the short agents of today too.
    name: 'android-browser-without-mobile',
    device: 'Tablet',
    version: 2,
    pattern:
      /^Mozilla\/5\.0 (?!.*\b(?:Mobile|Mobi\b|Opera Mini|Android [12]\.))(?=.*\bAndroid\b).*(?:AppleWebKit|Gecko\/)/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    ],
  },
  {
    name: 'phone',
    device: 'Mobile',
    version: 2,
    pattern:
      /iphone|ipod|android|\bFB4A\b|\bmobi|blackberry|\bBB10\b|symb(?:ian|os)|series ?[346]0|midp|cldc|\bj2me\b|wap|maui|\bfoma\b|portalmmm|up\.browser|up\.link|opera mini|nokia|sonyericsson|\bsamsung[- ]|\blge?-|\bmot-|alcatel|kaios|docomo|kddi|softbank|vodafone|j-phone|willcom|palm ?os|webos\/|hpwos|\bbrew\b|\bbada\b|netfront|obigo|teleca|dolfin|smartphone|\bphone;/i,
    examples: [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
      'Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5.1',
      'Mozilla/5.0 (Phone; OpenHarmony 4.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile',
      'Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16',
    ],
  },
  {
    name: 'desk',
    device: 'Desktop',
    version: 2,
    pattern:
      /macintosh|mac_powerpc|mac os x|\bX11\b|\blinux (?:x86_64|i[3-6]86|amd64|ppc)|\b(?:free|open|net)bsd|sunos|konqueror|amiga|haiku|beos|\bPC; OpenHarmony/i,
    examples: [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
      'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:124.0) Gecko/20100101 Firefox/124.0',
      'Mozilla/5.0 (PC; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1',
    ],
  },
]
