import { CloseButton, TextInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { CODE_TAGS_MAX } from '#contract/codes/code-values.ts'
import { tagName } from '#contract/codes/tags.ts'
import formStyles from '../../ui/form.module.css'
import { PlainButton } from '../../ui/plain-button.tsx'
import { fieldNames } from '../editor/values.ts'
import { known, typedTag } from './new-tag.tsx'
import { useTagColours, useTags } from './queries.ts'
import { TagChip } from './tag-chips.tsx'
import styles from './tags.module.css'

type Props = {
  value?: string[]
  error?: ReactNode
  onChange?: (tags: string[]) => void
}

const FULL = `A QR code can have up to ${CODE_TAGS_MAX} tags. Remove one to add another.`

/** The tags of a code: those of the account to choose from, and new ones, which are made when the code is saved. */
export function TagsField({ value: tags = [], error, onChange }: Props) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const list = useId()
  const colourOf = useTagColours()
  const names = useTags().data?.map(({ name }) => name) ?? []
  const add = (text: string) => {
    const name = typedTag(text)
    const [issue] = (name && tagName.safeParse(name).error?.issues) || []
    const wrong = tags.length >= CODE_TAGS_MAX && name ? FULL : issue?.message
    setProblem(wrong)
    if (wrong) return
    setTyped('')
    if (name && !known(tags, name)) onChange?.([...tags, known(names, name) ?? name])
  }
  const type = (text: string, isChosen: boolean) => {
    setProblem(undefined)
    if (isChosen || text.includes(',')) add(text)
    else setTyped(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isSaving = event.key === 's' && (event.ctrlKey || event.metaKey)
    if (typed.trim() === '' || (event.key !== 'Enter' && !isSaving)) return
    // Enter saves the form only where no tag is being typed.
    if (!isSaving) event.preventDefault()
    add(typed)
  }
  const remove = (name: string) => {
    onChange?.(tags.filter((tag) => tag !== name))
    field.current?.focus()
  }
  return (
    <div>
      <TextInput
        ref={field}
        label={fieldNames.tags}
        description="Tags help you find codes in your list. Visitors don’t see them."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        placeholder={tags.length > 0 ? 'Add another tag' : 'Spring, Table tents…'}
        list={list}
        value={typed}
        error={problem ?? error}
        autoComplete="off"
        enterKeyHint="done"
        onChange={({ currentTarget, nativeEvent }) =>
          type(currentTarget.value, isFromList(nativeEvent))
        }
        onKeyDown={onKeyDown}
        onBlur={() => add(typed)}
        inputContainer={(input) => (
          <>
            {tags.length > 0 && (
              <ul className={`${styles.tags} ${styles.chosen}`} aria-label="Chosen tags">
                {tags.map((name) => (
                  <li key={name}>
                    <TagChip name={name} colour={colourOf(name)}>
                      <CloseButton
                        c="inherit"
                        variant="transparent"
                        size={26}
                        iconSize={14}
                        aria-label={`Remove tag ${name}`}
                        onClick={() => remove(name)}
                      />
                    </TagChip>
                  </li>
                ))}
              </ul>
            )}
            <div className={`${formStyles.entry} ${styles.field}`}>
              {input}
              <PlainButton disabled={typed.trim() === ''} onClick={() => add(typed)}>
                Add
              </PlainButton>
            </div>
          </>
        )}
      />
      <datalist id={list}>
        {names
          .filter((name) => !known(tags, name))
          .map((name) => (
            <option key={name} value={name} />
          ))}
      </datalist>
    </div>
  )
}

/** Browsers say of what was typed how it was typed, and of a choice out of the list that it replaced it. */
function isFromList(event: Event): boolean {
  return !(event instanceof InputEvent) || event.inputType === 'insertReplacementText'
}
