import type { Device, Shares } from './audiences.ts'

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko)'

/** What browsers call themselves, with the share that each has on its kind of device. */
export const agents: Record<Device, Shares> = {
  phones: {
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${APPLE} Version/18.6 Mobile/15E148 Safari/604.1`]: 27,
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${APPLE} Version/18.5 Mobile/15E148 Safari/604.1`]: 17,
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 17_6_1 like Mac OS X) ${APPLE} Version/17.6 Mobile/15E148 Safari/604.1`]: 8,
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${APPLE} CriOS/140.0.7339.101 Mobile/15E148 Safari/604.1`]: 5,
    [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Chrome/140.0.0.0 Mobile Safari/537.36`]: 23,
    [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Chrome/139.0.0.0 Mobile Safari/537.36`]: 7,
    [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`]: 9,
    'Mozilla/5.0 (Android 15; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0': 3,
    [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Chrome/139.0.0.0 Mobile Safari/537.36 EdgA/139.0.0.0`]: 1,
  },
  tablets: {
    [`Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) ${APPLE} Version/17.6 Mobile/15E148 Safari/604.1`]: 7,
    [`Mozilla/5.0 (Linux; Android 14; SM-X210) ${CHROME} Chrome/139.0.0.0 Safari/537.36`]: 3,
  },
  desktops: {
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Chrome/140.0.0.0 Safari/537.36`]: 5,
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`]: 2,
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/18.6 Safari/605.1.15`]: 3,
    'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0': 1,
  },
}

/** Programs that fetch links: none of them is counted. */
export const machines: Shares = {
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)': 4,
  'WhatsApp/2.24.6.77 A': 5,
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)': 2,
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)': 3,
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)': 2,
  'curl/8.7.1': 1,
}
