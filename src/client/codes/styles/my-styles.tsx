import { Box, Button, Radio, Switch, Text } from '@mantine/core'
import { Bookmark } from 'lucide-react'
import { useRef, useState } from 'react'
import { lookOf } from '#contract/pictures/pictures.ts'
import { type KeptStyle, styleName } from '#contract/pictures/styles.ts'
import { z } from '#contract/zod.ts'
import { useKeptFocus } from '../../ui/focus.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Line, Quiet } from '../../ui/quiet.tsx'
import type { EditorForm } from '../editor/editor.ts'
import { ChoiceCard } from '../editor/fields.tsx'
import { NameForm } from '../name-form.tsx'
import {
  isSameLook,
  type LookValues,
  lookIn,
  useChangeStyle,
  useSaveStyle,
  useStyles,
} from './queries.ts'
import { StyleMenu } from './style-menu.tsx'
import { StyleSample } from './style-sample.tsx'
import styles from './styles.module.css'

/** The account's styles. A press on one gives the form its whole look. */
export function MyStyles({ form }: { form: EditorForm }) {
  const kept = useStyles()
  const [named, setNamed] = useState<'none' | 'new' | KeptStyle>('none')
  const area = useRef<HTMLDivElement>(null)
  const save = useRef<HTMLButtonElement>(null)
  useKeptFocus(area, () => save.current?.focus())
  const look = lookIn(form.values)
  const all = kept.data ?? []
  const chosen = look ? all.find((one) => isSameLook(one.look, look)) : undefined
  const choose = (id: string) => {
    const one = all.find((other) => other.id === id)
    if (one) form.setValues(one.look)
  }
  const close = () => {
    setNamed('none')
    requestAnimationFrame(() => save.current?.focus())
  }
  return (
    <div ref={area}>
      <Radio.Group label="My designs" value={chosen?.id ?? ''} onChange={choose}>
        {all.length > 0 && (
          <div className={styles.list}>
            {all.map((one, index) => (
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
                  <Box component="span" miw={0}>
                    <Text component="span" display="block" size="sm" truncate>
                      {one.name}
                    </Text>
                    {one.isDefault && <Line truncate>For new codes</Line>}
                  </Box>
                </ChoiceCard>
                <StyleMenu one={one} look={look} onRename={() => setNamed(one)} />
              </div>
            ))}
          </div>
        )}
      </Radio.Group>
      {kept.isError && (
        <Quiet>
          Your designs couldn’t be loaded.{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => kept.refetch()}>
            Try again
          </Button>
        </Quiet>
      )}
      {kept.isSuccess && all.length === 0 && named === 'none' && (
        <Quiet size="xs">Save this design to reuse it on other codes.</Quiet>
      )}
      {named === 'none' ? (
        <PlainButton
          ref={save}
          size="sm"
          mt={8}
          leftSection={<Bookmark size={16} />}
          onClick={() => setNamed('new')}
        >
          Save this design
        </PlainButton>
      ) : named === 'new' ? (
        <NewStyleName look={look} onDone={close} />
      ) : (
        <StyleName key={named.id} one={named} onDone={close} />
      )}
    </div>
  )
}

const schema = z.object({ name: styleName })

/** Keeps the form's look. */
function NewStyleName({ look, onDone }: { look: LookValues | null; onDone: () => void }) {
  const keep = useSaveStyle()
  return (
    <NameForm
      label="Design name"
      initialValues={{ name: '', isDefault: false }}
      schema={schema}
      save={(values, answers, form) =>
        look ? keep.mutate({ ...values, look }, answers) : form.setErrors({ name: WRONG_LOOK })
      }
      failed="Failed to save this design"
      busy={keep.isPending}
      go="Save design"
      onDone={onDone}
    >
      {(form) => (
        <Switch
          size="sm"
          label="Use for new codes"
          {...form.getInputProps('isDefault', { type: 'checkbox' })}
        />
      )}
    </NameForm>
  )
}

const WRONG_LOOK = 'Fix its colors or text first.'

/** Gives a style another name. */
function StyleName({ one, onDone }: { one: KeptStyle; onDone: () => void }) {
  const change = useChangeStyle()
  return (
    <NameForm
      label={`New name of “${one.name}”`}
      initialValues={{ name: one.name }}
      schema={schema}
      save={({ name }, answers) => change.mutate({ id: one.id, name }, answers)}
      failed="Failed to rename this design"
      busy={change.isPending}
      go="Rename"
      onDone={onDone}
    />
  )
}
