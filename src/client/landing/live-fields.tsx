import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { colourPresets, presetOf, spokenPreset } from '#contract/pictures/pictures.ts'
import { styles as codeStyles, type Look } from '#qr/symbol/look.ts'
import styles from './live-fields.module.css'
import { EXAMPLE_LINK } from './typed-link.ts'

type LinkFieldProps = { typed: string; problem: string | null; onType: (text: string) => void }

/** The destination. A problem with it shows once the visitor pauses. */
export function LinkField({ typed, problem, onType }: LinkFieldProps) {
  const field = useId()
  const input = useRef<HTMLInputElement>(null)
  useFieldsOnLoad(() => {
    const text = input.current?.value ?? ''
    if (text !== typed) onType(text)
  })
  const isPaused = usePaused(typed)
  const fault = isPaused ? problem : null
  return (
    <div className={styles.field} data-scripted>
      <label htmlFor={field} className="display">
        Where should your code go?
      </label>
      <input
        id={field}
        ref={input}
        type="url"
        autoComplete="url"
        spellCheck={false}
        placeholder={EXAMPLE_LINK}
        value={typed}
        onChange={({ target }) => onType(target.value)}
        aria-invalid={fault ? true : undefined}
        aria-describedby={`${field}-note`}
      />
      <p
        id={`${field}-note`}
        className="soft"
        aria-live="polite"
        data-fault={fault ? true : undefined}
      >
        {fault ?? 'What you type here stays in your browser.'}
      </p>
    </div>
  )
}

const styleNames: Record<Look['style'], string> = { classic: 'Classic', rounded: 'Rounded' }

type LookChoicesProps = { look: Look; onChange: (look: Look) => void }

/** The two styles and the eight presets, each shown as a finder pattern. */
export function LookChoices({ look, onChange }: LookChoicesProps) {
  const choices = useRef<HTMLDivElement>(null)
  const chosen = (name: string) =>
    choices.current?.querySelector<HTMLInputElement>(`input[name=${name}]:checked`)?.value
  const preset = presetOf(look)
  useFieldsOnLoad(() => {
    const style = codeStyles.find((each) => each === chosen('style')) ?? look.style
    const colours = colourPresets.find(({ name }) => name === chosen('colours')) ?? look
    const { foreground, background } = colours
    if (style !== look.style || presetOf(colours) !== preset) {
      onChange({ ...look, style, foreground, background })
    }
  })
  return (
    <div className={`${styles.choices} radios`} ref={choices} data-scripted>
      <fieldset>
        <legend>Style</legend>
        <div className={styles.styles}>
          {codeStyles.map((style) => (
            <label key={style}>
              <input
                type="radio"
                name="style"
                value={style}
                checked={style === look.style}
                onChange={() => onChange({ ...look, style })}
              />
              <span className={styles.pattern} data-style={style} aria-hidden />
              {styleNames[style]}
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>
          Colors <span className="soft">{preset?.name}</span>
        </legend>
        <div className={styles.presets}>
          {colourPresets.map((each) => {
            const { name, foreground, background } = each
            return (
              <label key={name} style={{ background, color: foreground }}>
                <input
                  type="radio"
                  name="colours"
                  value={name}
                  aria-label={spokenPreset(each)}
                  title={name}
                  checked={each === preset}
                  onChange={() => onChange({ ...look, foreground, background })}
                />
                <span className={styles.pattern} data-style={look.style} aria-hidden />
              </label>
            )
          })}
        </div>
      </fieldset>
    </div>
  )
}

/**
 * Calls `read` when the script has loaded, and when the browser has filled the fields again after a
 * reload or a way back: React has an event for neither.
 */
function useFieldsOnLoad(read: () => void): void {
  const readNow = useEffectEvent(read)
  useEffect(() => {
    const run = () => readNow()
    run()
    window.addEventListener('pageshow', run)
    return () => window.removeEventListener('pageshow', run)
  }, [])
}

/** Long enough to type the next character, short enough to help. */
const PAUSE_MS = 700

/** Whether the text has not changed for a while. */
function usePaused(text: string): boolean {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const pause = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [text])
  return settled === text
}
