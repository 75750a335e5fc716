import { useRef } from 'react'
import { colourPresets, presetOf } from '#contract/pictures.ts'
import { styles as codeStyles, type Look } from '#qr/symbol/look.ts'
import styles from './live-choices.module.css'
import { useRestored } from './restored.ts'

const names: Record<Look['style'], string> = { classic: 'Classic', rounded: 'Rounded' }

type Props = { look: Look; onChange: (look: Look) => void }

/** The two styles and the eight presets: finder patterns, as the code will have them. */
export function LiveChoices({ look, onChange }: Props) {
  const choices = useRef<HTMLDivElement>(null)
  const chosen = (name: string) =>
    choices.current?.querySelector<HTMLInputElement>(`input[name=${name}]:checked`)?.value
  const preset = presetOf(look)
  useRestored(() => {
    const style = codeStyles.find((each) => each === chosen('style')) ?? look.style
    const colours = colourPresets.find(({ name }) => name === chosen('colours')) ?? look
    const { foreground, background } = colours
    if (style !== look.style || presetOf(colours) !== preset) {
      onChange({ ...look, style, foreground, background })
    }
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
          Colours <span className={styles.chosen}>{preset?.name}</span>
        </legend>
        <div className={styles.presets}>
          {colourPresets.map((each) => {
            const { name, foreground, background } = each
            return (
              <label key={name} className={styles.preset} style={{ background, color: foreground }}>
                <input
                  type="radio"
                  name="colours"
                  value={name}
                  aria-label={name}
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
