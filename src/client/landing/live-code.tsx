import { useState } from 'react'
import { DEFAULT_LOOK, type Look } from '#qr/symbol/look.ts'
import { ButtonLink } from './button-link.tsx'
import { useCarriedDraft } from './carried-draft.ts'
import { LinkField } from './link-field.tsx'
import { useLiveCheck } from './live-check.ts'
import { LiveChoices } from './live-choices.tsx'
import styles from './live-code.module.css'
import { useLivePicture } from './live-picture.ts'
import { LiveVerdict } from './live-verdict.tsx'
import { EXAMPLE_LINK, readLink } from './typed-link.ts'

const EXAMPLE = { link: EXAMPLE_LINK, shown: EXAMPLE_LINK }

/** A code that a visitor makes before they sign up. Nothing of it leaves their browser. */
export function LiveCode({ example }: { example: string }) {
  const [typed, setTyped] = useState('')
  const [{ link, shown }, setRead] = useState(EXAMPLE)
  const [look, setLook] = useState(DEFAULT_LOOK)
  const [isTouched, setTouched] = useState(false)
  const { shown: own, problem } = readLink(typed)
  const { picture, isDrawn, hasFailed } = useLivePicture({ link, look, isTouched }, example)
  const pictured = isDrawn ? shown : EXAMPLE_LINK
  const legibility = useLiveCheck(link, look, isTouched)
  const isAsked = isTouched && !hasFailed && !problem

  const type = (text: string) => {
    const reading = readLink(text)
    setTouched(true)
    setTyped(text)
    // What is not yet a link leaves the last one standing.
    if (!reading.problem) setRead(reading.link === null ? EXAMPLE : reading)
  }
  const choose = (chosen: Look) => {
    setTouched(true)
    setLook(chosen)
  }
  useCarriedDraft({ link: own ?? typed.trim(), look })
  return (
    <section className={styles.bench} aria-label="Try it with your own link">
      <LinkField typed={typed} problem={problem} onType={type} />
      <figure className={styles.picture}>
        <img
          src={picture}
          width={512}
          height={512}
          alt={`QR code that leads to ${pictured}`}
          data-example
          data-waiting={problem ? true : undefined}
        />
        <figcaption>
          This preview leads straight to <b>{pictured}</b> A Tessera code leads there by a short
          link of its own, so you can change it later, even in print.
        </figcaption>
      </figure>
      <LiveChoices look={look} onChange={choose} />
      <LiveVerdict legibility={legibility} isAsked={isAsked} hasFailed={hasFailed} />
      <ButtonLink wide>Get Started</ButtonLink>
    </section>
  )
}
