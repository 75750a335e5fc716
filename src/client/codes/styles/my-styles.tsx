import { Button, Radio, Text } from '@mantine/core'
import { Bookmark } from 'lucide-react'
import { useRef, useState } from 'react'
import { lookOf } from '#contract/pictures/pictures.ts'
import type { KeptStyle } from '#contract/pictures/styles.ts'
import { useKeptFocus } from '../../ui/focus.ts'
import type { EditorForm } from '../editor/editor.ts'
import { ChoiceCard } from '../editor/fields.tsx'
import { isSameLook, lookIn, useStyles } from './queries.ts'
import { StyleMenu } from './style-menu.tsx'
import { NewStyleName, StyleName } from './style-name.tsx'
import { StyleSample } from './style-sample.tsx'
import styles from './styles.module.css'

/** Looks that the account keeps under names. A press on one gives the form all of it. */
export function MyStyles({ form }: { form: EditorForm }) {
  const kept = useStyles()
  const [named, setNamed] = useState<'none' | 'new' | KeptStyle>('none')
  const area = useRef<HTMLDivElement>(null)
  const save = useRef<HTMLButtonElement>(null)
  useKeptFocus(area, () => save.current?.focus())
  const look = lookIn(form.values)
  const looks = kept.data ?? []
  const chosen = look ? looks.find((one) => isSameLook(one.look, look)) : undefined
  const choose = (id: string) => {
    const one = looks.find((other) => other.id === id)
    if (one) form.setValues(one.look)
  }
  const close = () => {
    setNamed('none')
    requestAnimationFrame(() => save.current?.focus())
  }
  return (
    <div ref={area}>
      <Radio.Group label="My styles" value={chosen?.id ?? ''} onChange={choose}>
        {looks.length > 0 && (
          <div className={styles.list}>
            {looks.map((one, index) => (
              <div key={one.id} className={styles.item}>
                <ChoiceCard
                  value={one.id}
                  chosen={chosen?.id}
                  isFirst={index === 0}
                  className={styles.card}
                  p={8}
                  pr={48}
                >
                  <StyleSample look={lookOf(one.look)} />
                  <span className={styles.texts}>
                    <Text component="span" size="sm" className={styles.name}>
                      {one.name}
                    </Text>
                    {one.isDefault && (
                      <Text component="span" size="xs" c="dimmed" className={styles.name}>
                        For new codes
                      </Text>
                    )}
                  </span>
                </ChoiceCard>
                <StyleMenu one={one} look={look} onRename={() => setNamed(one)} />
              </div>
            ))}
          </div>
        )}
      </Radio.Group>
      {kept.isError && (
        <Text size="sm" c="dimmed">
          Your styles could not be loaded.{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => kept.refetch()}>
            Try again
          </Button>
        </Text>
      )}
      {kept.isSuccess && looks.length === 0 && named === 'none' && (
        <Text size="xs" c="dimmed">
          Keep this look under a name, and use it for your other codes.
        </Text>
      )}
      {named === 'none' ? (
        <Button
          ref={save}
          variant="default"
          size="sm"
          mt={8}
          leftSection={<Bookmark size={16} aria-hidden />}
          onClick={() => setNamed('new')}
        >
          Save this style
        </Button>
      ) : named === 'new' ? (
        <NewStyleName look={look} onDone={close} />
      ) : (
        <StyleName key={named.id} one={named} onDone={close} />
      )}
    </div>
  )
}
