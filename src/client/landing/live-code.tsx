import { useEffect, useMemo, useState } from 'react'
import { DEFAULT_LOOK, type Look } from '#qr/symbol/look.ts'
import { useFirstDraft } from './first-draft.ts'
import { LiveVerdict, useLiveCheck } from './live-check.tsx'
import styles from './live-code.module.css'
import type { drawLink } from './live-drawing.ts'
import { LinkField, LookChoices } from './live-fields.tsx'
import { ButtonLink } from './page-parts.tsx'
import { EXAMPLE_LINK, readLink } from './typed-link.ts'

const EXAMPLE = { link: EXAMPLE_LINK, shown: EXAMPLE_LINK }

/** A code that a visitor makes before they sign up. Their text stays in their browser. */
export function LiveCode({ example }: { example: string }) {
  const [typed, setTyped] = useState('')
  const [{ link, shown }, setRead] = useState(EXAMPLE)
  const [look, setLook] = useState(DEFAULT_LOOK)
  const [isTouched, setTouched] = useState(false)
  const { shown: own, problem } = readLink(typed)
  const { drawn, hasFailed } = useLivePicture({ link, look, isTouched })
  const pictured = drawn ? shown : EXAMPLE_LINK
  const legibility = useLiveCheck(link, look, isTouched)
  const isAsked = isTouched && !hasFailed && !problem

  const type = (text: string) => {
    const reading = readLink(text)
    setTouched(true)
    setTyped(text)
    // While the text is not a link, the last link stays.
    if (!reading.problem) setRead(reading.link === null ? EXAMPLE : reading)
  }
  const choose = (chosen: Look) => {
    setTouched(true)
    setLook(chosen)
  }
  useFirstDraft({ link: own ?? typed.trim(), look, picture: drawn })
  return (
    <section className={`${styles.bench} panel`} aria-label="Try it with your own link">
      <LinkField typed={typed} problem={problem} onType={type} />
      <figure className={styles.picture}>
        <img
          src={drawn ?? example}
          width={512}
          height={512}
          alt={`QR code that leads to ${pictured}`}
          data-example
          data-waiting={problem ? true : undefined}
        />
        <figcaption className="soft">
          This preview leads straight to <b>{pictured}</b> A saved code goes through its own short
          link, so you can change the destination later, even after printing.
        </figcaption>
      </figure>
      <LookChoices look={look} onChange={choose} />
      <LiveVerdict legibility={legibility} isAsked={isAsked} hasFailed={hasFailed} />
      <ButtonLink wide>{isTouched ? 'Save and download this code' : 'Get Started'}</ButtonLink>
    </section>
  )
}

type LivePicture = { link: string; look: Look; isTouched: boolean }

/** The picture of the visitor's code; null until the engine has loaded and there is a choice to draw. */
function useLivePicture({ link, look, isTouched }: LivePicture) {
  const draw = useEngine(isTouched)
  const canDraw = isTouched && typeof draw === 'function'
  const drawn = useMemo(() => (canDraw ? draw(link, look) : null), [canDraw, draw, link, look])
  return { drawn, hasFailed: isTouched && draw === 'failed' }
}

/** Signs that a person is there, who may type next. Browsers make up pointer moves. */
const SIGNS = ['pointerdown', 'keydown', 'focusin'] as const

/** Loads the engine at the first sign of a person: the page is complete without it. */
function useEngine(isWanted: boolean): typeof drawLink | 'failed' | undefined {
  const [draw, setDraw] = useState<typeof drawLink | 'failed'>()
  useEffect(() => {
    if (draw) return
    const signs = new AbortController()
    const load = async () => {
      signs.abort()
      const loaded = await import('./live-drawing.ts').catch(() => null)
      setDraw(() => loaded?.drawLink ?? 'failed')
    }
    if (isWanted) return void load()
    for (const sign of SIGNS) {
      window.addEventListener(sign, load, { once: true, passive: true, signal: signs.signal })
    }
    return () => signs.abort()
  }, [draw, isWanted])
  return draw
}
