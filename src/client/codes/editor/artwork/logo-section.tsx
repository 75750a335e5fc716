import { Button, Center, Radio, SimpleGrid, Text } from '@mantine/core'
import { Ban, X } from 'lucide-react'
import { useState } from 'react'
import type { Logo } from '#contract/pictures/artwork.ts'
import { plans } from '#contract/plans.ts'
import { LOGO_MARGIN, LOGO_SIZE, type LogoPlace, plates } from '#qr/artwork/artwork.ts'
import type { Ecc } from '#qr/symbol/look.ts'
import { choicesOf } from '../../../formats.ts'
import { useArrived } from '../../../ui/arrived.ts'
import { importLazily } from '../../../ui/dialog/lazy-import.ts'
import { confirm } from '../../../ui/messages/confirm-dialog.tsx'
import { PlainButton } from '../../../ui/plain-button.tsx'
import { useOwner } from '../../owner.ts'
import type { EditorForm } from '../editor.ts'
import { ChoiceCard, Range, Section, Segments } from '../fields.tsx'
import { levelNames, useSymbolSizes } from '../printing/printing-options.tsx'
import styles from './artwork.module.css'
import { artworkOf, costText, FIRST_PLATE, firstSize } from './artwork-form.ts'
import { LogoUpload, logoPicture, useLogos, useRemoveLogo } from './logo-upload.tsx'
import { type ArtworkPlans, PlanNote } from './plan-note.tsx'

type Props = {
  form: EditorForm
  /** The link in the picture: it decides how large the symbol is */
  link: string
  seePlans: ArtworkPlans
}

export function LogoSection(props: Props) {
  const { logo } = artworkOf(props.form).artwork
  return (
    <Section title="Logo" chosen={logo ? [`${logo.size} modules wide`] : []}>
      <LogoFields {...props} />
    </Section>
  )
}

const NONE = 'none'
/** A logo covers what correction repairs, so that this level comes with it. */
const WITH_LOGO: Ecc = 'H'

function LogoFields({ form, link, seePlans }: Props) {
  const { tier } = useOwner()
  const { artwork, change } = artworkOf(form)
  const { logo } = artwork
  const { ecc, compact } = form.values
  const room = useLogoRoom(link, compact)
  const [raisedFrom, setRaisedFrom] = useState<Ecc | null>(null)
  const choose = (id: string) => {
    if (id === NONE) return change({ logo: null })
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

type KnownProps = { logo: LogoPlace | null; onChoose: (id: string) => void }

function KnownLogos({ logo, onChoose }: KnownProps) {
  const { data: logos = [] } = useLogos()
  const remove = useRemoveLogo()
  const chosen = logo?.id ?? NONE
  const chosenLogo = logos.find(({ id }) => id === chosen)
  if (logos.length === 0 && !logo) return null
  const ask = ({ id, name }: Logo) =>
    confirm({
      title: 'Delete this logo?',
      text: `“${nameOf(name)}” leaves your logos, unless a code or a saved design uses it.`,
      stay: 'Keep it',
      go: 'Delete',
      grave: true,
      onGo: () =>
        remove.mutateAsync(id).then(
          () => onChoose(NONE),
          () => {},
        ),
    })
  return (
    <div>
      <Radio.Group label="Your logos" value={chosen} onChange={onChoose}>
        <SimpleGrid minColWidth={76} spacing={8} mt={4}>
          <ChoiceCard value={NONE} chosen={chosen} isFirst isTile>
            <Center component="span" w={44} h={44} c="var(--quiet)">
              <Ban size={24} strokeWidth={1.5} />
            </Center>
            <Text component="span" size="xs">
              No logo
            </Text>
          </ChoiceCard>
          {logos.map(({ id, name }) => (
            <ChoiceCard
              key={id}
              value={id}
              chosen={chosen}
              isFirst={false}
              isTile
              title={nameOf(name)}
            >
              <img className={styles.logo} src={logoPicture(id)} alt="" width={44} height={44} />
              <Text component="span" size="xs" maw="100%" truncate>
                {nameOf(name)}
              </Text>
            </ChoiceCard>
          ))}
        </SimpleGrid>
      </Radio.Group>
      {chosenLogo && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt={6}
          maw="100%"
          leftSection={<X size={14} />}
          onClick={() => ask(chosenLogo)}
        >
          Delete “{shortened(nameOf(chosenLogo.name))}”
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
  const largest = room?.largest(ecc, logo.plate)
  return (
    <>
      {largest === 0 ? (
        <div role="status">
          <Text size="sm">
            With {levelNames[ecc]} error correction, this code has no room for a logo.{' '}
            <RaiseButton ecc={ecc} onRaise={onRaise} />
          </Text>
        </div>
      ) : (
        room &&
        largest && (
          <SizeField
            logo={logo}
            ecc={ecc}
            room={room}
            largest={largest}
            onChange={onChange}
            onRaise={onRaise}
          />
        )
      )}
      <Segments
        label="Logo background"
        value={logo.plate}
        onChange={(plate) => onChange({ plate })}
        data={choicesOf(plates)}
      />
      <Range
        label="Space around the logo"
        value={logo.margin}
        {...LOGO_MARGIN}
        step={0.5}
        words={`${logo.margin} modules`}
        onChange={(margin) => onChange({ margin })}
      />
    </>
  )
}

type SizeProps = Pick<PlacingProps, 'logo' | 'ecc' | 'onChange' | 'onRaise'> & {
  room: NonNullable<PlacingProps['room']>
  largest: number
}

function SizeField({ logo, ecc, room, largest, onChange, onRaise }: SizeProps) {
  const size = Math.min(logo.size, largest)
  const cost = room.cost(ecc, { size, plate: logo.plate })
  return (
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
        {costText(cost, size === largest)}
      </Text>
      {logo.size > largest && <RaiseButton ecc={ecc} onRaise={onRaise} />}
    </Range>
  )
}

function RaiseButton({ ecc, onRaise }: Pick<PlacingProps, 'ecc' | 'onRaise'>) {
  if (ecc === WITH_LOGO) return null
  return (
    <PlainButton size="compact-sm" mt={4} onClick={onRaise}>
      Raise error correction to {levelNames[WITH_LOGO]}
    </PlainButton>
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
