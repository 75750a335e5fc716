import { useId, useRef } from 'react'
import styles from './link-field.module.css'
import { useRestored } from './restored.ts'
import { EXAMPLE_LINK } from './typed-link.ts'
import { usePaused } from './typing-pause.ts'

type Props = { typed: string; problem: string | null; onType: (text: string) => void }

/** Where the code is to lead. What is wrong with it is said once the visitor pauses. */
export function LinkField({ typed, problem, onType }: Props) {
  const field = useId()
  const input = useRef<HTMLInputElement>(null)
  useRestored(() => {
    const text = input.current?.value ?? ''
    if (text !== typed) onType(text)
  })
  const isPaused = usePaused(typed)
  const fault = isPaused ? problem : null
  return (
    <div className={styles.field}>
      <label htmlFor={field}>Where should your code lead?</label>
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
        className={styles.note}
        aria-live="polite"
        data-fault={fault ? true : undefined}
      >
        {fault ?? 'Nothing that you type here leaves your browser.'}
      </p>
    </div>
  )
}
