import { Box, Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { foldedTag } from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import type { Tag } from '#contract/codes/tags.ts'
import { counted } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { DialogBar, Loaded } from '../../ui/dialog/dialog.tsx'
import { known, NewTag } from './new-tag.tsx'
import { type Tagging, useTagCodes, useTags } from './queries.ts'
import { TagChip } from './tag-chips.tsx'

type Props = { codes: readonly QrCode[]; onClose: () => void }

/** Gives the chosen codes tags, and takes others from them. */
export function TagCodes(about: Props) {
  return (
    <Loaded query={useTags()} what="Your tags">
      {(all) => <Choices tags={all} {...about} />}
    </Loaded>
  )
}

function Choices({ tags, codes, onClose }: Props & { tags: readonly Tag[] }) {
  const [made, setMade] = useState<string[]>([])
  /** Ticks that were changed here, by the tag's name */
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map())
  const save = useTagCodes()
  const fresh = made.map((name) => ({ name, id: undefined, colour: 'grey' as const }))
  const offered = [...fresh, ...tags]
  const set = (name: string, isAdded: boolean) =>
    setChanged((before) => new Map(before).set(name, isAdded))
  const add = (text: string, { onSuccess }: { onSuccess: () => void }) => {
    const there = known(
      offered.map(({ name }) => name),
      text,
    )
    if (!there) setMade((before) => [text, ...before])
    set(there ?? text, true)
    onSuccess()
  }
  const taggings = offered.flatMap(({ name, id }): Tagging[] => {
    const isAdded = changed.get(name)
    const holders = holdersOf(name, codes)
    if (isAdded === undefined || holders === (isAdded ? codes.length : 0)) return []
    return [{ name, id, isAdded }]
  })
  const these = codes.length === 1 ? 'this QR code' : counted(codes.length, 'QR code')
  return (
    <>
      <Text size="sm" mb="sm">
        Choose the tags for {codes.length === 1 ? these : `these ${these}`}.
        {codes.length > 1 && ' A dash means only some have it; it stays as is.'}
      </Text>
      <NewTag go="Add" add={add} />
      {offered.length > 0 && (
        <Box
          component="fieldset"
          display="grid"
          mah="40vh"
          miw={0}
          mx={0}
          my="sm"
          p={4}
          bd={0}
          style={SCROLLED}
          aria-label="Tags"
        >
          {offered.map(({ name, colour }) => {
            const holders = holdersOf(name, codes)
            const isAdded = changed.get(name)
            return (
              <Checkbox
                key={name}
                display="flex"
                mih="max(36px, var(--finger))"
                style={CENTERED}
                checked={isAdded ?? holders === codes.length}
                indeterminate={isAdded === undefined && holders > 0 && holders < codes.length}
                onChange={({ currentTarget }) => set(name, currentTarget.checked)}
                label={<TagChip name={name} colour={colour} />}
              />
            )
          })}
        </Box>
      )}
      <DialogBar
        onClose={onClose}
        buttons={
          <BusyButton
            busy={save.isPending}
            busyText="Changing..."
            disabled={taggings.length === 0}
            onClick={() => save.mutate({ taggings, codes }, { onSuccess: onClose })}
          >
            Change {these}
          </BusyButton>
        }
      />
    </>
  )
}

const SCROLLED = { gap: 4, overflowY: 'auto' } as const
const CENTERED = { alignItems: 'center' }

const holdersOf = (name: string, codes: readonly QrCode[]) =>
  codes.filter(({ tags }) => tags.some((tag) => foldedTag(tag) === foldedTag(name))).length
