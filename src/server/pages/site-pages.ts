import { FREE_EXPIRY_DAYS, plans } from '#contract/billing/plans.ts'
import type { Config } from '../config.ts'
import type { Reader } from '../formats.ts'
import { helpPage } from './help-page.ts'
import { integrationsPage } from './integrations-page.ts'
import { type Content, link, section, sitePage } from './site-parts.ts'

/*
 * The pages that the landing page's footer leads to. They say what is so on this server, and promise
 * nothing that its operator has not set up.
 */

/** The address of each page, its title in the footer, and its text. */
const pages = {
  help: { title: 'Help Center', write: (site, reader) => helpPage(ask(site), reader) },
  integrations: { title: 'Integrations', write: integrationsPage },
  about: { title: 'About', write: about },
  checks: { title: 'Destination Checks', write: checks },
  contact: { title: 'Contact', write: (site) => ({ lead: ask(site).html }) },
  privacy: { title: 'Privacy Policy', write: privacy },
  terms: { title: 'Terms of Service', write: terms },
} as const satisfies Record<
  string,
  { title: string; write: (site: Config, reader: Reader) => Content }
>

export type SitePage = keyof typeof pages

export const sitePages = Object.keys(pages) as SitePage[]

/** Draws a page, its numbers as the reader writes them. */
export function drawSitePage(page: SitePage, site: Config, reader: Reader): string {
  const { title, write } = pages[page]
  return sitePage(title, write(site, reader))
}

/** The address for questions, if there is one. */
const ask = ({ supportEmail }: Config) =>
  section(
    'Contact us',
    supportEmail
      ? `Email us at ${link(`mailto:${supportEmail}`, supportEmail)}.`
      : `This site has no support address. Try the ${link('/api/help', 'Help Center')}, or ask the person or company that sent you here.`,
  )

function about({ publicUrl, demo }: Config): Content {
  const here = link(publicUrl, new URL(publicUrl).host)
  return {
    lead: '<p>Tessera makes dynamic QR codes. Print a code once, change where it leads as often as you like, and see how often it’s scanned.</p>',
    sections: [
      section(
        'What we care about',
        'Printed codes don’t die by surprise. Our redirect has no access to billing.',
        'No scan gets lost. Each one is saved before its visitor is sent on.',
        'You’ll know whether a code scans before you print it. We test every picture with several scanners.',
      ),
      section(
        'Run your own',
        `You’re on ${here}.${demo === 'on' ? ` There’s a live demo on the ${link('/', 'home page')}.` : ''} Tessera is free software under the MIT license, so anyone can run their own.`,
      ),
    ],
  }
}

function checks({ publicUrl }: Config): Content {
  const here = link(publicUrl, new URL(publicUrl).host)
  return {
    lead: `<p>The QR codes of ${here} lead to pages of many sites. <code>TesseraCheck</code> asks whether those pages are there, so that no one scans a code in vain.</p>`,
    sections: [
      section(
        'What it asks, and how often',
        'It asks each page once a day with <code>HEAD</code>, and with <code>GET</code> if that fails. It follows up to five redirects. It reads only the answer’s status, never the page. A page that fails is asked again after 6, 12, and 18 hours.',
        'One site gets at most one request a second.',
      ),
      section(
        'How to refuse it',
        'Answer requests whose <code>User-Agent</code> begins with <code>TesseraCheck</code> with status 403. Codes still lead to your page, and we don’t call it broken.',
      ),
    ],
  }
}

function privacy({ privacyUrl, scanRetention, geoipDatabases, geoHeaders }: Config): Content {
  if (privacyUrl)
    return { lead: `<p>Read our privacy policy at ${link(privacyUrl, privacyUrl)}.</p>` }
  const place = geoipDatabases.length > 0 || geoHeaders ? 'country, region, and city' : 'country'
  const kept = scanRetention
    ? `Individual scans are deleted after ${scanRetention === 1 ? 'a month' : `${scanRetention} months`}; totals stay.`
    : 'Individual scans are kept indefinitely.'
  return {
    lead: '<p>This is what Tessera stores, and what it doesn’t.</p>',
    sections: [
      section(
        'When you scan a code',
        `We store the time, the ${place} if your IP address reveals it, your kind of device, operating system, browser, and language, and the site you came from. We don’t store the IP address itself: a number derived from it, with a key that’s deleted every day, tells first scans from repeated ones. ${kept}`,
      ),
      section(
        'When you have an account',
        'We store your name, email address, a hash of your password, your codes and their destinations, and the IP address and browser of each logged-in device. Deleting your account deletes all of it. You can download everything in your account settings.',
      ),
      section(
        'Cookies',
        'We only use cookies to keep you logged in. No page loads anything from advertisers or analytics services.',
      ),
    ],
  }
}

function terms({ termsUrl }: Config): Content {
  if (termsUrl) return { lead: `<p>Read our terms of service at ${link(termsUrl, termsUrl)}.</p>` }
  return {
    lead: `<p>The Free plan includes ${plans.free.codeLimit} codes for ${FREE_EXPIRY_DAYS} days each. Codes created on a paid plan keep working when the plan ends. You can take your links with you at any time.</p>`,
  }
}
