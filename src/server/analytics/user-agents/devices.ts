import type { DeviceName } from '#contract/analytics/figure-values.ts'
import type { Rule } from './rule.ts'

export type DeviceRule = Rule & { device: DeviceName }

/*
 * Rules for machines that name themselves, tried in this order. These know it better than client hints
 * do: a television's hints say that it is not a phone, and nothing more.
 */
export const machines: readonly DeviceRule[] = [
  {
    name: 'tv',
    device: 'TV',
    pattern:
      /smart-?tv|hbbtv|ce-html|netcast|nettv|web0s|inettvbrowser|internet\.tv|google ?tv|android ?tv|apple ?tv|\btvos\b|viera|bravia|sonydtv|sonycebrowser|aquosbrowser|aquos-(?:as|dmp)|dlnadoc|hybridcast|kreatv|vidaa|smartcast|vizio|\broku|opentv|espial|maple[ _]|opera tv|philipstv|whaletv|titanos|fire ?tv|crkey|chromecast|\bmibox|\bmi ?tv|tv ?box|shield android|nexus player|\bstb\b|set-?top|large ?screen|kylo|boxee|\bdtv\b|webtv/i,
  },
  {
    // Amazon's names of its sticks and boxes: developer.amazon.com, "Identify Fire TV devices".
    name: 'fire-tv',
    device: 'TV',
    pattern: /\bAFT[A-Z]{1,6}\d{0,3}\b/,
  },
  {
    name: 'android-tv',
    device: 'TV',
    pattern: /^(?!.*\bMobile\b)(?=.*Android).*(?:\b|_)(?:[AG]?TV|OTT)(?:\b|[_\d])/,
  },
  {
    name: 'android-box',
    device: 'TV',
    pattern: /^(?!.*\bMobile\b)(?=.*Android).*\b(?:MXQ|X96|H96|T95|A95X|TX[39]|NEXBOX|M8S)/,
  },
  { name: 'console', device: 'Other', pattern: /nintendo|playstation|\bpsp\b|\bxbox\b|\bouya\b/i },
  {
    name: 'headset-watch-car',
    device: 'Other',
    pattern:
      /oculusbrowser|\bpico ?(?:neo|\d)|watchos|apple ?watch|\bSM-R\d{3}|qtcarbrowser|\btesla\//i,
  },
  {
    name: 'windows-phone',
    device: 'Mobile',
    pattern:
      /windows phone|wpdesktop|iemobile|windows ce|zunewp|\bppc;|opera mobi|palmsource|\bwds \d|^htc |\b(?:htc|xda|mda)_/i,
  },
  {
    name: 'windows-or-chrome-os',
    device: 'Desktop',
    pattern: /windows nt|windows 9[58]|\bwin9[58]|\bwinnt|\bwindows[; ]|\bCrOS\b/i,
  },
  {
    name: 'tablet',
    device: 'Tablet',
    pattern:
      /\bipad|\btablet\b(?! pc)|playbook|touchpad|\bkindle\b|\bopera tablet|\bsilk[/-](?!.*\bmobile\b)/i,
  },
  {
    // An iPad says Macintosh; its browsers but Safari still say what iOS's browsers do.
    name: 'ipad-as-mac',
    device: 'Tablet',
    pattern: /Macintosh.*(?:\bMobile\/|\b(?:CriOS|FxiOS|EdgiOS|OPiOS)\/)/,
  },
  {
    name: 'samsung-tablet',
    device: 'Tablet',
    pattern:
      /\b(?:SM-[TXP]\d{3}|GT-P\d{4}|GT-N(?:51|80)\d\d|SCH-[IP]\d{3}\b.*Tab|SGH-T849|SHW-M[13]8\d|SC-01[CE]|Galaxy Tab)/i,
  },
  {
    // Amazon's names of its Fire tablets: developer.amazon.com, "Fire tablet device specifications".
    name: 'fire-tablet',
    device: 'Tablet',
    pattern: /\bKF[A-Z]{2,7}\b/,
  },
  {
    // Huawei and Honor end the model of a Wi-Fi tablet with W09, W19 and so on; phones have none.
    name: 'huawei-tablet',
    device: 'Tablet',
    pattern:
      /\b[A-Z]{2,3}\d?-W\d[09]\b|\b(?:AGR|AGS\d?|AGM\d?|BAH\d?|BTV|BZ[AKTW]\d?|CMR|CPN|DBY\d?|HDL|JDN\d?|KOB\d?|MON|MRO|MRX|MRR|SCMR?|SHT|VRD|WGRR?|FRD-PAD)-[AL][LN]?\d{2}|(?:Media|Mate|Honor ?)Pad\b/i,
  },
  {
    name: 'lenovo-tablet',
    device: 'Tablet',
    pattern:
      /\bTB-?[A-Z]?\d{3,4}[A-Z]*|\bYT\d?-X?\d{3,4}|\bYOGA Tab|\bIdeaTab|\bLenovo ?(?:TAB|B[68]0\d0|A\d{4}-[HF])/i,
  },
  {
    name: 'xiaomi-tablet',
    device: 'Tablet',
    pattern:
      /\b(?:Mi|Redmi|Xiaomi|POCO) ?Pad\b|\b2\d{4,5}RP\w{2,5}|\bM2105K81A?C?|\b2105118[23][CG]|\b2208128[13][ACG]/i,
  },
  {
    name: 'pad',
    device: 'Tablet',
    // Coolpad and PadFone are phones.
    pattern:
      /^(?=.*Android).*(?:(?<!cool|phone|tech )(?:Tab|Pad)(?:[\d_]|\b)|\b(?:TabPro|Slate|Xoom|Iconia|Transformer|Nook|iPlay|HTC Flyer|P?MID\d{2,4})|\bNexus (?:7|9|10)\b|\bPixel C\b|\bOPD\d{4}|\bRMP\d{4}|\bSGP\d{3}|\bLG-VK?\d{3}|\bTF\d{3}|\bME\d{3}[A-Z]|\bP0[0-2]\w\b|\bK0[01]\w\b|\bA1-8\d\d|\bB[13]-[A7]\d\d|\bBQ(?:ru)?-(?:[7-9]|1\d)\d{2,3}[A-Z]|\bTZ\d{2,3}\b|\bPMT\d{4})/i,
  },
]

/** Rules for agents of which neither the machine nor a client hint says more. */
export const habits: readonly DeviceRule[] = [
  {
    // Google's own rule: a phone's browser says Mobile, a tablet's does not. It holds for the short agents of today too.
    name: 'android-browser-without-mobile',
    device: 'Tablet',
    pattern:
      /^Mozilla\/5\.0 (?!.*\b(?:Mobile|Mobi\b|Opera Mini|Android [12]\.))(?=.*\bAndroid\b).*(?:AppleWebKit|Gecko\/)/i,
  },
  {
    name: 'phone',
    device: 'Mobile',
    pattern:
      /iphone|ipod|android|\bFB4A\b|\bmobi|blackberry|\bBB10\b|symb(?:ian|os)|series ?[346]0|midp|cldc|\bj2me\b|wap|maui|\bfoma\b|portalmmm|up\.browser|up\.link|opera mini|nokia|sonyericsson|\bsamsung[- ]|\blge?-|\bmot-|alcatel|kaios|docomo|kddi|softbank|vodafone|j-phone|willcom|palm ?os|webos\/|hpwos|\bbrew\b|\bbada\b|netfront|obigo|teleca|dolfin|smartphone|\bphone;/i,
  },
  {
    name: 'desk',
    device: 'Desktop',
    pattern:
      /macintosh|mac_powerpc|mac os x|\bX11\b|\blinux (?:x86_64|i[3-6]86|amd64|ppc)|\b(?:free|open|net)bsd|sunos|konqueror|amiga|haiku|beos|\bPC; OpenHarmony/i,
  },
]
