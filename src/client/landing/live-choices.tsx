import { useRef } from 'react'
import { styles as codeStyles, colourPresets } from '#contract/code-values.ts'
import styles from './live-choices.module.css'
import type { LiveLook } from './live-look.ts'
import { useRestored } from './restored.ts'

const names: Record<LiveLook['style'], string> = { classic: 'Classic', rounded: 'Rounded' }

type Props = { look: LiveLook; onChange: (look: LiveLook) => void }

/** The two styles and the eight presets: finder patterns, as the code will have them. */
export function LiveChoices({ look, onChange }: Props) {
  const choices = useRef<HTMLDivElement>(null)
  const chosen = (name: string) =>
    choices.current?.querySelector<HTMLInputElement>(`input[name=${name}]:checked`)?.value
  useRestored(() => {
    const style = codeStyles.find((each) => each === chosen('style')) ?? look.style
    const colours = colourPresets.find(({ name }) => name === chosen('colours')) ?? look.colours
    if (style !== look.style || colours !== look.colours) onChange({ style, colours })
  })
  return (
    <div className={styles.choices} ref={choices}>
      <fieldset className={styles.group}>
        <legend>Style</legend>
        <div className={styles.styles}>
          {codeStyles.map((style) => (
            <label key={style} className={styles.choice}>
              <input
                type="radio"
                name="style"
                value={style}
                checked={style === look.style}
                onChange={() => onChange({ ...look, style })}
              />
              <span className={styles.pattern} data-style={style} aria-hidden />
              {names[style]}
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>
          Colours <span className={styles.chosen}>{look.colours.name}</span>
        </legend>
        <div className={styles.presets}>
          {colourPresets.map((preset) => {
            const { name, foreground, background } = preset
            return (
              <label key={name} className={styles.preset} style={{ background, color: foreground }}>
                <input
                  type="radio"
                  name="colours"
                  value={name}
                  aria-label={name}
                  title={name}
                  checked={preset === look.colours}
                  onChange={() => onChange({ ...look, colours: preset })}
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
