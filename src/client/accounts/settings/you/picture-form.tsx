import { Avatar, FileButton, Group, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { PICTURE_MAX_BYTES, PICTURE_MAX_PIXELS } from '#contract/account-settings.ts'
import type { User } from '#contract/accounts.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { initials } from '../../person.ts'
import { Section } from '../section.tsx'
import { useRemovePicture, useSavePicture } from '../settings-calls.ts'
import { type ChosenPicture, PICTURE_TYPES, readPicture } from './chosen-picture.ts'

const SIZE = 96
const LIMITS = `PNG, JPG or WebP, at most ${PICTURE_MAX_BYTES / 2 ** 20} MB and ${PICTURE_MAX_PIXELS / 1e6} megapixels. We crop it to a square.`

export function PictureForm({ user, pictureUrl }: { user: User; pictureUrl: string | null }) {
  const { chosen, refusal, choose, forget } = useChoice()
  const save = useSavePicture()
  const remove = useRemovePicture()
  const shown = chosen?.url ?? pictureUrl
  return (
    <Section title="Picture" text={LIMITS}>
      <Group wrap="nowrap" align="center">
        <Avatar
          src={shown}
          size={SIZE}
          color="verdigris"
          variant="filled"
          alt={chosen ? 'The picture that you chose' : shown ? 'Your picture' : ''}
        >
          {initials(user)}
        </Avatar>
        <Stack gap="xs" align="flex-start">
          {chosen ? (
            <Group gap="xs">
              <BusyButton
                busy={save.isPending}
                busyText="Saving..."
                onClick={() => save.mutate(chosen.file, { onSuccess: forget })}
              >
                Save picture
              </BusyButton>
              <BusyButton variant="default" busy={false} onClick={forget}>
                Cancel
              </BusyButton>
            </Group>
          ) : (
            <Group gap="xs">
              <FileButton accept={PICTURE_TYPES.join()} onChange={choose}>
                {({ onClick }) => (
                  <BusyButton variant="default" busy={false} onClick={onClick}>
                    {pictureUrl ? 'Choose another picture' : 'Choose a picture'}
                  </BusyButton>
                )}
              </FileButton>
              {pictureUrl && (
                <BusyButton
                  variant="default"
                  busy={remove.isPending}
                  busyText="Removing..."
                  onClick={() => remove.mutate()}
                >
                  Remove picture
                </BusyButton>
              )}
            </Group>
          )}
          {refusal && (
            <Text size="sm" c="var(--bad)" role="alert">
              {refusal}
            </Text>
          )}
        </Stack>
      </Group>
    </Section>
  )
}

/** The file that somebody has chosen and not saved yet. */
function useChoice() {
  const [chosen, setChosen] = useState<ChosenPicture | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  useEffect(() => () => URL.revokeObjectURL(chosen?.url ?? ''), [chosen])
  const choose = async (file: File | null) => {
    if (!file) return
    const read = await readPicture(file)
    setRefusal('refusal' in read ? read.refusal : null)
    setChosen('refusal' in read ? null : read)
  }
  return { chosen, refusal, choose, forget: () => setChosen(null) }
}
