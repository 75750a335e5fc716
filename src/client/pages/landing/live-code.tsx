import { useId, useState } from 'react'
import { ButtonLink } from './button-link.tsx'
import { keepFirstDraft } from './first-draft.ts'
import { useLiveCheck } from './live-check.ts'
import { LiveChoices } from './live-choices.tsx'
import styles from './live-code.module.css'
import { FIRST_LOOK } from './live-look.ts'
import { useLivePicture } from './live-picture.ts'
import { LiveVerdict } from './live-verdict.tsx'
import { EXAMPLE_LINK, readLink } from './typed-link.ts'
import { usePaused } from './typing-pause.ts'

/** A code that a visitor makes before they sign up. Nothing of it leaves their browser. */
export function LiveCode({ example }: { example: string }) {
  const [typed, setTyped] = useState('')
  const [link, setLink] = useState(EXAMPLE_LINK)
  const [look, setLook] = useState(FIRST_LOOK)
  const [isTouched, setTouched] = useState(false)
  const { link: own, problem } = readLink(typed)
  const isPaused = usePaused(typed)
  const fault = isPaused ? problem : null
  const { picture, pictured, hasFailed } = useLivePicture({ link, look, isTouched }, example)
  const legibility = useLiveCheck(link, look, isTouched)
  const field = useId()

  const type = (text: string) => {
    const reading = readLink(text)
    setTouched(true)
    setTyped(text)
    // What is not yet a link leaves the last one standing.
    if (reading.link) setLink(reading.link)
    else if (!reading.problem) setLink(EXAMPLE_LINK)
  }
  return (
    <section className={styles.bench} aria-label="Try it with your own link">
      <div className={styles.field}>
        <label htmlFor={field}>Where should your code lead?</label>
        <input
          id={field}
          type="url"
          inputMode="url"
          autoComplete="url"
          spellCheck={false}
          placeholder={EXAMPLE_LINK}
          value={typed}
          onChange={({ target }) => type(target.value)}
          aria-invalid={fault ? true : undefined}
          aria-describedby={`${field}-note`}
        />
        <p
          id={`${field}-note`}
          className={styles.note}
          aria-live="polite"
          data-fault={fault ? true : undefined}
        >
          {fault ?? 'Nothing that you type here leaves your browser.'}
        </p>
      </div>
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
      <LiveChoices
        look={look}
        onChange={(chosen) => {
          setTouched(true)
          setLook(chosen)
        }}
      />
      <LiveVerdict
        legibility={legibility}
        isAsked={isTouched && !hasFailed && !problem}
        hasFailed={hasFailed}
      />
      <ButtonLink
        wide
        onClick={() => keepFirstDraft({ link: problem ? typed.trim() : (own ?? ''), look })}
      >
        Get Started
      </ButtonLink>
    </section>
  )
}
