import type { ReactNode } from 'react'
import { FREE_EXPIRY_DAYS, plans } from '#contract/plans.ts'
import { type Card, Cards, Section } from './page-parts.tsx'

/*
 * The end of the page. The build renders it and no script takes it over, so its style is in landing.css
 * and it weighs nothing but its text.
 */

export function PrintSections() {
  return (
    <>
      <InPrint />
      <Outlive />
      <Questions />
    </>
  )
}

/** The server draws these pictures: their codes lead to its own start page. */
const things = [
  {
    name: 'menu',
    alt: 'A menu on a café table, with a QR code for today’s dishes',
    title: 'On the table',
    text: 'New prices or new dishes? The printed card stays the same.',
  },
  {
    name: 'poster',
    alt: 'A concert poster on a brick wall, with a rounded QR code',
    title: 'On the wall',
    text: 'Tickets before the show, photos after.',
  },
  {
    name: 'packaging',
    alt: 'A bag of coffee, with a brown QR code on its label',
    title: 'On the shelf',
    text: 'One code on every bag, and you see where people scan it.',
  },
]

function InPrint() {
  return (
    <Section
      id="print"
      tinted
      title="Made to be printed"
      lead="These codes are real. Scan one off your screen, and it brings you right back here."
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
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const reasons: Card[] = [
  {
    title: 'Scans don’t depend on your plan',
    text: 'Our redirect has no access to billing. It looks up the link, counts the scan, and sends people on.',
    tiles: ['#.#####', '#.....#', '#.o.o.#', '...o...', '#.o.o.#', '#.....#', '#####.#'],
  },
  {
    title: 'Paid codes keep working',
    text: 'When your plan ends, every code you created on it keeps working. You can still change where it leads, pause it, or delete it.',
    tiles: ['.......', '.....oo', '....oo.', 'o..oo..', 'oooo...', '.oo....', '#######'],
  },
  {
    title: 'Old links keep working',
    text: 'If you change a custom URL, the old one still works. And we never give a deleted code’s link to anyone else.',
    tiles: ['.###...', '#...#..', '#..o#..', '.##.##.', '..#o..#', '..#...#', '...###.'],
  },
  {
    title: 'Take your links with you',
    text: 'One zip file holds all your codes, their pictures, and the redirects for your own web server.',
    tiles: ['...o...', '..ooo..', '.o.o.o.', '...o...', '#..o..#', '#.....#', '#######'],
  },
]

function Outlive() {
  return (
    <Section
      id="outlive"
      title="Your printed codes outlive your plan"
      lead="You can’t change paper. That’s why a scan never depends on a payment."
    >
      <Cards cards={reasons} />
    </Section>
  )
}

const { codeLimit } = plans.free

const questions: { question: string; answer: ReactNode }[] = [
  {
    question: 'When does a code stop working?',
    answer: `A code you create on the Free plan stops working ${FREE_EXPIRY_DAYS} days after you first save it. You see its last day before you print. On every paid plan, codes don’t expire.`,
  },
  {
    question: 'What happens when I upgrade or stop paying?',
    answer: `When you upgrade, your free codes no longer expire, and the ones that had stopped work again. No need to reprint. When a paid plan ends, the codes you created on it keep working. New codes follow the Free plan: up to ${codeLimit}, for ${FREE_EXPIRY_DAYS} days each.`,
  },
  {
    question: 'Can I put my logo in the code?',
    answer:
      'Yes, on every paid plan: PNG, JPG, SVG, or WebP, plus shapes, gradients, and frames. We limit the logo’s size so the code stays easy to scan, and we test the exact picture you print with two scanners.',
  },
  {
    question: 'What counts as a scan?',
    answer:
      'Each time a person opens your code. You see when, from which country, and on what kind of device. Link previews and search engines don’t count, and we never store a visitor’s IP address.',
  },
  {
    question: 'Can I take my links with me?',
    answer:
      'Yes, anytime and on every plan. “Take my links with me” in your settings gives you one zip file with the pictures, the data, and redirects for nginx, Caddy, or Netlify. Printed codes lead to this server’s address, so keep it running or take its domain with you.',
  },
  {
    question: 'Can I host it myself?',
    answer:
      'Yes. Tessera is free software under the MIT license. One command starts it, database included, and your printed codes use your own domain.',
  },
]

function Questions() {
  return (
    <Section
      id="questions"
      tinted
      title="Good to know before you print"
      lead="Short answers to common questions."
    >
      <div className="questions">
        {questions.map(({ question, answer }) => (
          <details key={question}>
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  )
}
