import { Button, Center, Text } from '@mantine/core'
import { Ban, X } from 'lucide-react'
import { useState } from 'react'
import { plans } from '#contract/billing/plans.ts'
import type { Logo } from '#contract/pictures/artwork.ts'
import { LOGO_MARGIN, LOGO_SIZE, type LogoPlace, plates } from '#qr/artwork/artwork.ts'
import type { Ecc } from '#qr/symbol/look.ts'
import { choicesOf } from '../../../formats.ts'
import { useArrived } from '../../../ui/arrived.ts'
import { importLazily } from '../../../ui/dialog/lazy-import.ts'
import { confirm } from '../../../ui/messages/confirm-dialog.tsx'
import { PlainButton } from '../../../ui/plain-button.tsx'
import { inWorkspace } from '../../../workspace.ts'
import { useOwner } from '../../owner.ts'
import styles from '../fields.module.css'
import { Choices, Range, Section, Segments } from '../fields.tsx'
import type { OpenForm } from '../open-form.ts'
import { levelNames, useSymbolSizes } from '../printing/printing-options.tsx'
import { artworkOf, costText, FIRST_PLATE, firstSize } from './artwork-form.ts'
import { LogoUpload, logoPicture, useLogos, useRemoveLogo } from './logo-upload.tsx'
import { PlanNote } from './plan-note.tsx'

type Props = Pick<OpenForm, 'form' | 'link' | 'seePlans'>

export function LogoSection(props: Props) {
  const { logo } = artworkOf(props.form).artwork
  return (
    <Section title="Logo" chosen={logo ? [`${logo.size} modules wide`] : []}>
      <LogoFields {...props} />
    </Section>
  )
}

/** A logo covers what correction repairs, so that this level comes with it. */
const WITH_LOGO: Ecc = 'H'

function LogoFields({ form, link, seePlans }: Props) {
  const { tier } = useOwner()
  const { artwork, change } = artworkOf(form)
  const { logo } = artwork
  const { ecc, compact } = form.values
  const room = useLogoRoom(link, compact)
  const [raisedFrom, setRaisedFrom] = useState<Ecc | null>(null)
  const choose = (id: string | null) => {
    if (id === null) return change({ logo: null })
    if (logo) return change({ logo: { ...logo, id } })
    const largest = room?.largest(WITH_LOGO, FIRST_PLATE) ?? LOGO_SIZE.min
    const place = { id, size: firstSize(largest), plate: FIRST_PLATE, margin: 0.5 }
    if (ecc !== WITH_LOGO) setRaisedFrom(ecc)
    change({ logo: place }, { ecc: WITH_LOGO })
  }
  return (
    <>
      <PlanNote
        seePlans={seePlans}
        text="Your logo sits in the middle of the code, as large as it can be and still scan. Logos are included in every paid plan."
      />
      {plans[tier].hasArtwork && <LogoUpload onSent={({ id }) => choose(id)} />}
      <KnownLogos logo={logo} onChoose={choose} />
      <div role="status">
        {logo && raisedFrom && ecc === WITH_LOGO && (
          <Text size="sm">
            Error correction is now {levelNames[WITH_LOGO]}, so the code still scans with the logo
            in it.{' '}
            <PlainButton
              size="compact-xs"
              onClick={() => {
                setRaisedFrom(null)
                form.setFieldValue('ecc', raisedFrom)
              }}
            >
              Back to {levelNames[raisedFrom]}
            </PlainButton>
          </Text>
        )}
      </div>
      {logo && (
        <Placing
          logo={logo}
          ecc={ecc}
          room={room}
          onChange={(part) => change({ logo: { ...logo, ...part } })}
          onRaise={() => form.setFieldValue('ecc', WITH_LOGO)}
        />
      )}
    </>
  )
}

type KnownProps = { logo: LogoPlace | null; onChoose: (id: string | null) => void }

function KnownLogos({ logo, onChoose }: KnownProps) {
  const { data: logos = [] } = useLogos()
  const remove = useRemoveLogo()
  const chosen = logo && logos.find(({ id }) => id === logo.id)
  if (logos.length === 0 && !logo) return null
  const ask = ({ id, name }: Logo) =>
    confirm({
      title: 'Delete this logo?',
      text: `“${nameOf(name)}” leaves your logos, unless a code or a saved design uses it.`,
      stay: 'Keep it',
      go: 'Delete',
      onGo: () => remove.mutateAsync(id, { onSuccess: () => onChoose(null) }),
    })
  return (
    <div>
      <Choices
        label="Your logos"
        items={[null, ...logos]}
        chosen={chosen}
        idOf={(one) => one?.id ?? 'none'}
        onChange={(one) => onChoose(one?.id ?? null)}
        grid={{ minColWidth: 76 }}
        card={(one) => ({ title: one ? nameOf(one.name) : undefined })}
        isTile
      >
        {(one) => (
          <>
            {one ? (
              <img
                className={styles.tile}
                src={inWorkspace(logoPicture(one.id))}
                alt=""
                width={44}
                height={44}
              />
            ) : (
              <Center component="span" w={44} h={44} c="var(--quiet)">
                <Ban size={24} strokeWidth={1.5} />
              </Center>
            )}
            <Text component="span" size="xs" maw="100%" truncate>
              {one ? nameOf(one.name) : 'No logo'}
            </Text>
          </>
        )}
      </Choices>
      {chosen && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt={6}
          maw="100%"
          leftSection={<X size={14} />}
          onClick={() => ask(chosen)}
        >
          Delete “{shortened(nameOf(chosen.name))}”
        </Button>
      )}
    </div>
  )
}

/** A file's name without its ending. */
const nameOf = (name: string) => name.replace(/\.(png|jpe?g|svg|webp)$/i, '') || 'Logo'

const shortened = (name: string) => (name.length > 20 ? `${name.slice(0, 19)}…` : name)

type PlacingProps = {
  logo: LogoPlace
  ecc: Ecc
  room: ReturnType<typeof useLogoRoom>
  onChange: (part: Partial<LogoPlace>) => void
  onRaise: () => void
}

/** The logo's size, which ends where the code would no longer scan, and what it lies on. */
function Placing({ logo, ecc, room, onChange, onRaise }: PlacingProps) {
  const { plate, margin } = logo
  const largest = room?.largest(ecc, plate)
  const size = Math.min(logo.size, largest ?? 0)
  const raise = ecc !== WITH_LOGO && (
    <PlainButton size="compact-sm" mt={4} onClick={onRaise}>
      Raise error correction to {levelNames[WITH_LOGO]}
    </PlainButton>
  )
  return (
    <>
      {largest === 0 && (
        <div role="status">
          <Text size="sm">
            With {levelNames[ecc]} error correction, this code has no room for a logo. {raise}
          </Text>
        </div>
      )}
      {room && largest !== undefined && largest > 0 && (
        <Range
          label="Logo size"
          value={size}
          min={LOGO_SIZE.min}
          max={largest}
          words={`${size} of at most ${largest} modules`}
          onChange={(next) => onChange({ size: next })}
        >
          <Text size="xs" c="dimmed" role="status">
            {logo.size > largest && 'There’s no room for a larger logo, so it’s drawn smaller. '}
            {costText(room.cost(ecc, { size, plate }), size === largest)}
          </Text>
          {logo.size > largest && raise}
        </Range>
      )}
      <Segments
        label="Logo background"
        value={plate}
        onChange={(next) => onChange({ plate: next })}
        data={choicesOf(plates)}
      />
      <Range
        label="Space around the logo"
        value={margin}
        {...LOGO_MARGIN}
        step={0.5}
        words={`${margin} modules`}
        onChange={(next) => onChange({ margin: next })}
      />
    </>
  )
}

/** How much room a code has for a logo, and what a place costs; undefined until that is known. */
function useLogoRoom(link: string, compact: boolean) {
  const sizes = useSymbolSizes(link)
  const part = useArrived(() => importLazily(() => import('#qr/artwork/logo-room.ts')), 'room')
  if (!sizes || !part) return undefined
  const edgeAt = (ecc: Ecc) => sizes[ecc][compact ? 'compact' : 'plain']
  return {
    largest: (ecc: Ecc, plate: LogoPlace['plate']) => part.largestLogo(edgeAt(ecc), ecc, plate),
    /** Takes less than a millisecond. */
    cost: (ecc: Ecc, place: Pick<LogoPlace, 'size' | 'plate'>) =>
      part.logoCost(edgeAt(ecc), ecc, place),
  }
}
