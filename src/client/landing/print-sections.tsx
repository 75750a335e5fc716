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
    text: 'New prices, new dishes: the printed card stays.',
  },
  {
    name: 'poster',
    alt: 'A concert poster on a brick wall, with a rounded QR code',
    title: 'On the wall',
    text: 'Tickets before the concert, photos after it.',
  },
  {
    name: 'packaging',
    alt: 'A bag of coffee, with a brown QR code on its label',
    title: 'On the shelf',
    text: 'One code on every bag, and you see where they are scanned.',
  },
]

function InPrint() {
  return (
    <Section
      id="print"
      tinted
      title="Made to be printed"
      lead="These codes are real. Scan one from the screen: it leads to this page."
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
    title: 'Scans know nothing of plans',
    text: 'What answers a scan cannot even read whether a plan is paid. It looks up the link, counts the scan and redirects.',
    tiles: ['#.#####', '#.....#', '#.o.o.#', '...o...', '#.o.o.#', '#.....#', '#####.#'],
  },
  {
    title: 'Made on a paid plan, it stays',
    text: 'When the plan ends, every code that you made on it keeps working. You can still change where it leads, pause it and delete it.',
    tiles: ['.......', '.....oo', '....oo.', 'o..oo..', 'oooo...', '.oo....', '#######'],
  },
  {
    title: 'No old link is lost',
    text: 'A custom URL that you change keeps working too. The name of a deleted code is never given to anybody else.',
    tiles: ['.###...', '#...#..', '#..o#..', '.##.##.', '..#o..#', '..#...#', '...###.'],
  },
  {
    title: 'You can take them along',
    text: 'One zip has all your codes, their pictures, and the redirects for a web server of your own.',
    tiles: ['...o...', '..ooo..', '.o.o.o.', '...o...', '#..o..#', '#.....#', '#######'],
  },
]

function Outlive() {
  return (
    <Section
      id="outlive"
      title="Your printed codes outlive your plan"
      lead="Paper cannot be changed. So the way from a scan to its page does not depend on a payment."
    >
      <Cards cards={reasons} />
    </Section>
  )
}

const { codeLimit } = plans.free

const questions: { question: string; answer: ReactNode }[] = [
  {
    question: 'What ends, and when?',
    answer: `A code that you make on the free plan stops working ${FREE_EXPIRY_DAYS} days after you first save it. Its last day stands beside it before you print. On every paid plan, codes do not expire.`,
  },
  {
    question: 'What happens when I upgrade, and when I stop paying?',
    answer: `When you upgrade, your free codes no longer expire, and those that had stopped work again: the print stays good. When a paid plan ends, the codes that you made on it keep working. New codes are then limited as on the free plan, to ${codeLimit}, each for ${FREE_EXPIRY_DAYS} days.`,
  },
  {
    question: 'Can my logo stand in the code?',
    answer:
      'Yes, on every paid plan: PNG, JPG, SVG or WebP, with shapes, gradients and frames. Its size ends where the code would become hard to scan, and two scanners try the very picture that you print.',
  },
  {
    question: 'What is counted?',
    answer:
      'Each visit by a person is a scan: with its time, its country, and the kind of device. Link previews and search engines are not counted. The address of a visitor is never stored.',
  },
  {
    question: 'Can I take my links with me?',
    answer:
      'Yes, at any time and on every plan. “Take my links with me” in your settings makes one zip: the pictures, the data, and the redirects for nginx, Caddy or Netlify. Codes that are printed lead to the address of this server, so it has to stay, or its domain has to move with you.',
  },
  {
    question: 'Can I run it myself?',
    answer:
      'Yes. Tessera is free software under the MIT licence. One command starts it, with a database inside; your own domain is then printed into your codes.',
  },
]

function Questions() {
  return (
    <Section
      id="questions"
      tinted
      title="Good to know before you print"
      lead="Short answers to what people ask first."
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
