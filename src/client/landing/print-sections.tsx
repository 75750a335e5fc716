import type { ReactNode } from 'react'
import { FREE_EXPIRY_DAYS, plans } from '#contract/billing/plans.ts'
import { ButtonLink, type Card, Cards, Section } from './page-parts.tsx'

/*
 * The end of the page. The build renders it and no script takes it over, so its style is in landing.css
 * and it weighs nothing but its text.
 */

/** The server draws these pictures: their codes lead to its own start page. */
const things = [
  {
    name: 'menu',
    alt: 'A menu on a café table with a QR code for today’s specials',
    title: 'On the table',
    text: 'New prices, new dishes, same printed menu.',
  },
  {
    name: 'poster',
    alt: 'A concert poster on a brick wall with a rounded QR code',
    title: 'On the wall',
    text: 'Tickets before the show, photos after.',
  },
  {
    name: 'packaging',
    alt: 'A bag of coffee with a brown QR code on the label',
    title: 'On the shelf',
    text: 'One code on every bag. See which countries the scans come from.',
  },
]

const reasons: Card[] = [
  {
    title: 'Scans don’t check your plan',
    text: 'Our redirect has no access to billing. It looks up the link, counts the scan, and sends people on.',
    tiles: ['#.#####', '#.....#', '#.o.o.#', '...o...', '#.o.o.#', '#.....#', '#####.#'],
  },
  {
    title: 'Created on a paid plan, yours for good',
    text: 'If your plan ends, every code you created on it keeps working. You can still change its destination, pause it, or delete it.',
    tiles: ['.......', '.....oo', '....oo.', 'o..oo..', 'oooo...', '.oo....', '#######'],
  },
  {
    title: 'Old links keep working',
    text: 'Change a custom URL, and the old one still works. A deleted code’s link is never given to anyone else.',
    tiles: ['.###...', '#...#..', '#..o#..', '.##.##.', '..#o..#', '..#...#', '...###.'],
  },
  {
    title: 'Take your links with you',
    text: 'Download one ZIP with all your codes, their pictures, and redirects for your own web server.',
    tiles: ['...o...', '..ooo..', '.o.o.o.', '...o...', '#..o..#', '#.....#', '#######'],
  },
]

const { codeLimit } = plans.free

const questions: { question: string; answer: ReactNode }[] = [
  {
    question: 'Do codes expire?',
    answer: `Codes on the Free plan stop working ${FREE_EXPIRY_DAYS} days after you first save them. You’ll see the date before you print. Codes on paid plans don’t expire.`,
  },
  {
    question: 'What happens when I upgrade or stop paying?',
    answer: `When you upgrade, your free codes no longer expire, and expired ones start working again, so nothing has to be reprinted. When a paid plan ends, the codes you created on it keep working. New codes then follow the Free plan: up to ${codeLimit}, each for ${FREE_EXPIRY_DAYS} days.`,
  },
  {
    question: 'Can I put my logo in the code?',
    answer:
      'Yes, on every paid plan. Upload a PNG, JPG, SVG, or WebP, and add shapes, gradients, and frames. We cap the logo’s size before the code gets hard to scan, and test the exact picture you’ll print with two scanners.',
  },
  {
    question: 'What counts as a scan?',
    answer:
      'Every time a person opens your code. We record the time, the country, and the type of device. Link previews and bots don’t count, and we never store IP addresses.',
  },
  {
    question: 'Can I take my links with me?',
    answer:
      'Yes, anytime and on every plan. “Take my links with me” in your settings gives you one ZIP with your pictures, your data, and redirects for nginx, Caddy, or Netlify. Printed codes point to this site’s domain, so that domain has to stay up or move with you.',
  },
  {
    question: 'Can I host it myself?',
    answer:
      'Yes. Tessera is open source under the MIT license. One command starts it, database included, and your codes carry your own domain.',
  },
]

export function PrintSections() {
  return (
    <>
      <Section
        id="print"
        tinted
        title="Made for print"
        lead="These codes are real. Scan one right off your screen. It brings you back to this page."
      >
        <ul className="things">
          {things.map(({ name, alt, title, text }) => (
            <li key={name}>
              <img
                src={`/pictures/printed-${name}.svg`}
                width={360}
                height={300}
                loading="lazy"
                decoding="async"
                alt={alt}
              />
              <h3>{title}</h3>
              <p className="soft">{text}</p>
            </li>
          ))}
        </ul>
      </Section>
      <Section
        id="outlive"
        title="Your printed codes outlive your plan"
        lead="You can’t change what’s already printed, so codes from a paid plan keep working even when the plan ends."
      >
        <Cards cards={reasons} />
      </Section>
      <Section
        id="questions"
        tinted
        title="Good to know before you print"
        lead="Quick answers to common questions."
      >
        <div className="questions">
          {questions.map(({ question, answer }) => (
            <details key={question}>
              <summary>{question}</summary>
              <p className="soft">{answer}</p>
            </details>
          ))}
        </div>
      </Section>
      <Section
        id="begin"
        title="Make your first code"
        lead={`The Free plan includes ${codeLimit} codes. You don’t need a card.`}
      >
        <ButtonLink>Create your first code</ButtonLink>
      </Section>
    </>
  )
}
