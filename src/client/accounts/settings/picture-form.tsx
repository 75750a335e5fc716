import { Avatar, FileButton, Group, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { PICTURE_MAX_BYTES, PICTURE_MAX_PIXELS } from '#contract/accounts/account-settings.ts'
import type { User } from '#contract/accounts/accounts.ts'
import { request } from '../../api.ts'
import { formatNumber } from '../../formats.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Section } from '../../ui/section.tsx'
import { ChangeButton } from '../change-button.tsx'
import { initials } from '../person.ts'
import { remove } from './settings-calls.ts'

const SIZE = 96
const MAX_MB = PICTURE_MAX_BYTES / 2 ** 20
const MAX_MEGAPIXELS = PICTURE_MAX_PIXELS / 1e6
const LIMITS = `PNG, JPG, or WebP, up to ${MAX_MB} MB and ${MAX_MEGAPIXELS} megapixels. We’ll crop it to a square.`

export function PictureForm({ user, pictureUrl }: { user: User; pictureUrl: string | null }) {
  const { chosen, refusal, choose, forget } = useChoice()
  const shown = chosen?.url ?? pictureUrl
  return (
    <Section title="Picture" text={LIMITS}>
      <Group wrap="nowrap" align="center">
        <Avatar
          src={shown}
          size={SIZE}
          color="verdigris"
          variant="filled"
          alt={chosen ? 'The picture you chose' : shown ? 'Your picture' : ''}
        >
          {initials(user)}
        </Avatar>
        <Stack gap="xs" align="flex-start">
          {chosen ? (
            <Group gap="xs">
              <ChangeButton
                call={() => request('PUT', '/api/account/picture', chosen.file)}
                done="Picture saved"
                failed="Failed to save your picture"
                onDone={forget}
                variant="filled"
              >
                Save picture
              </ChangeButton>
              <PlainButton onClick={forget}>Cancel</PlainButton>
            </Group>
          ) : (
            <Group gap="xs">
              <FileButton accept={PICTURE_TYPES.join()} onChange={choose}>
                {({ onClick }) => (
                  <PlainButton onClick={onClick}>
                    {pictureUrl ? 'Choose another picture' : 'Choose picture'}
                  </PlainButton>
                )}
              </FileButton>
              {pictureUrl && (
                <ChangeButton
                  call={() => remove('picture')}
                  done="Picture removed"
                  failed="Failed to remove your picture"
                >
                  Remove picture
                </ChangeButton>
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

/** The file that the user has chosen and not saved yet. */
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

const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp']

type ChosenPicture = { file: File; url: string }

/** Checks a file before it is sent. Returns the address of its preview, or why the server would refuse it. */
async function readPicture(file: File): Promise<ChosenPicture | { refusal: string }> {
  if (!PICTURE_TYPES.includes(file.type)) return { refusal: 'Use a PNG, JPG, or WebP file.' }
  if (file.size > PICTURE_MAX_BYTES) {
    const megabytes = formatNumber(file.size / 2 ** 20, 1)
    return { refusal: `This picture is ${megabytes} MB. The limit is ${MAX_MB} MB.` }
  }
  const url = URL.createObjectURL(file)
  const pixels = await pixelsOf(url)
  if (pixels <= PICTURE_MAX_PIXELS && pixels > 0) return { file, url }
  URL.revokeObjectURL(url)
  if (pixels === 0) return { refusal: 'We can’t read this picture. Use another one.' }
  const megapixels = Math.ceil(pixels / 1e6)
  return {
    refusal: `This picture has ${megapixels} megapixels. The limit is ${MAX_MEGAPIXELS}.`,
  }
}

/** Returns 0 if the file is not a picture. */
async function pixelsOf(url: string): Promise<number> {
  const picture = new Image()
  picture.src = url
  await picture.decode().catch(() => {})
  return picture.naturalWidth * picture.naturalHeight
}
