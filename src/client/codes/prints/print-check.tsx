import { Box, Button, FileButton, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useMediaQuery, useWindowEvent } from '@mantine/hooks'
import { Camera, ImageUp, type LucideIcon } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { QrCode } from '#contract/codes/codes.ts'
import { reachOf } from '#contract/links.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { useDrawn } from '../../drawing/drawn-symbol.ts'
import { useDropPlace } from '../../files/drop-place.ts'
import { formatMoment } from '../../formats.ts'
import form from '../../ui/form.module.css'
import { Quiet } from '../../ui/quiet.tsx'
import rows from '../../ui/rows.module.css'
import { printLink } from '../addresses.ts'
import { reachNote } from '../editor/printing/before-printing.tsx'
import { linkOf } from '../links.ts'
import { Note } from '../note.tsx'
import { useOwner } from '../owner.ts'
import thumbnail from '../thumbnail.module.css'
import type { PhotoResult } from './photo-sizes.ts'
import { useKeepProof, usePrintProofs, verdictText } from './print-proofs.tsx'
import { Result } from './result.tsx'
import { knownBetter, type Sighting, sightingOf } from './sighting.ts'

/** Leads a user at a desktop to this dialog on their phone, which has a camera. */
function PhoneCode({ address }: { address: string }) {
  const picture = useDrawn(address, DEFAULT_LOOK)
  if (!picture) return null
  return (
    <Group>
      <img
        src={picture}
        width={148}
        height={148}
        alt="QR code of this page, for a phone"
        className={thumbnail.picture}
      />
      <Text size="sm" flex="1 1 220px">
        <b>Take the photo with your phone</b>
        <br />
        Scan this code with it to open this page there. You may need to log in.
      </Text>
    </Group>
  )
}

type Props = {
  code: QrCode
  codes: readonly QrCode[]
}

const TOUCHED = '(pointer: coarse)'
const AT_ONCE = { getInitialValueInEffect: false }

/** Reads a photo of a printed code in the browser, says what it shows, and keeps that with the code. */
export function PrintCheck({ code, codes }: Props) {
  const { hostUrl, isDemo } = useOwner()
  const isTouched = useMediaQuery(TOUCHED, false, AT_ONCE)
  const { photo, sighting, isReading, take, keeping } = useCheck({ code, codes })
  const place = useDropPlace((file) => file && void take(file))
  useWindowEvent('paste', ({ clipboardData }) => {
    const file = clipboardData?.files[0]
    if (file) void take(file)
  })
  const preview = usePreview(photo && 'preview' in photo ? photo.preview : undefined)
  const reach = reachNote({ link: linkOf(hostUrl, code), isDemo })
  return (
    <Stack>
      <Text className={rows.words}>
        Take a photo of “{code.name}” as it’s printed to see whether it scans and where it leads.
        The photo stays on this device.
      </Text>
      {reach && <Note icon={reach.icon}>{reach.text}</Note>}
      <Group gap="8px 12px" {...(!isTouched && { className: form.drop, ...place })}>
        {isTouched && (
          <PhotoButton
            label="Take a photo"
            icon={Camera}
            capture="environment"
            onPhoto={take}
            isFirst
          />
        )}
        <PhotoButton label="Choose a photo" icon={ImageUp} onPhoto={take} isFirst={!isTouched} />
        {!isTouched && <Quiet>or drop or paste it here.</Quiet>}
      </Group>
      <Stack
        gap={8}
        role="status"
        aria-busy={isReading}
        display={isReading || photo ? undefined : 'none'}
      >
        {isReading && (
          <Group gap={10} wrap="nowrap">
            <Loader size={16} aria-hidden />
            <Text size="sm">Reading the photo…</Text>
          </Group>
        )}
        {!isReading && photo && (
          <Result photo={photo} code={code} sighting={sighting} keeping={keeping} />
        )}
      </Stack>
      {!isReading && preview && (
        <Box
          component="img"
          src={preview}
          alt="What the camera saw"
          maw="100%"
          mah={240}
          bdrs="md"
          style={{ alignSelf: 'flex-start' }}
        />
      )}
      {!isTouched && reachOf(hostUrl) !== 'device' && (
        <PhoneCode address={printLink(hostUrl, code.id)} />
      )}
      {!isDemo && <Earlier id={code.id} />}
    </Stack>
  )
}

type PhotoButtonProps = {
  label: string
  icon: LucideIcon
  capture?: 'environment'
  onPhoto: (file: File) => Promise<void>
  /** The one that most people press has the focus first. */
  isFirst: boolean
}

function PhotoButton({ label, icon: Icon, capture, onPhoto, isFirst }: PhotoButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const reset = useRef<() => void>(null)
  useEffect(() => {
    if (isFirst) button.current?.focus()
  }, [isFirst])
  const choose = (file: File | null) => {
    if (file) void onPhoto(file)
    // A camera may give the next photo the same name.
    reset.current?.()
  }
  return (
    <FileButton accept="image/*" {...(capture && { capture })} resetRef={reset} onChange={choose}>
      {({ onClick }) => (
        <Button
          ref={button}
          variant={isFirst ? 'filled' : 'default'}
          leftSection={<Icon size={16} />}
          onClick={onClick}
        >
          {label}
        </Button>
      )}
    </FileButton>
  )
}

type Check = { photo?: PhotoResult; sighting?: Sighting | undefined }

/** One photo after the other: a result is shown until the next photo is chosen. */
function useCheck({ code, codes }: Props) {
  const { hostUrl, isDemo } = useOwner()
  const read = usePhotoReader()
  const keep = useKeepProof(code.id)
  const [check, setCheck] = useState<Check>({})
  const [isReading, setReading] = useState(false)
  const last = useRef(0)
  const take = async (file: File) => {
    const count = ++last.current
    setReading(true)
    keep.reset()
    const photo = await read(file)
    // Another photo was chosen while this one was read.
    if (count !== last.current) return
    const seen = photo.kind === 'read' ? sightingOf(photo.texts, { code, codes, hostUrl }) : null
    const reading =
      photo.kind === 'unread'
        ? ({ found: 'nothing', trouble: photo.trouble } as const)
        : seen?.reading
    // The server may know a link better: what is said waits for it, and is said without it.
    const checked =
      reading && !isDemo ? await keep.mutateAsync(reading).catch(() => undefined) : undefined
    if (count !== last.current) return
    setCheck({ photo, sighting: seen ? knownBetter(seen.sighting, code, checked) : undefined })
    setReading(false)
  }
  return { ...check, isReading, take, keeping: isDemo ? 'demo' : keep.status } as const
}

/** Reads photos in a worker that starts with the first one and ends with the dialog. */
function usePhotoReader() {
  const worker = useRef<Worker>(undefined)
  const stop = useCallback(() => {
    worker.current?.terminate()
    worker.current = undefined
  }, [])
  useEffect(() => stop, [stop])
  return (file: Blob): Promise<PhotoResult> =>
    new Promise((resolve) => {
      const asked =
        worker.current ??
        new Worker(new URL('./photo-worker.ts', import.meta.url), { type: 'module' })
      worker.current = asked
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => resolve(data)
      // The program of an older page may be gone from the server, or the browser too old for it.
      asked.addEventListener('error', () => {
        stop()
        resolve({ kind: 'refused', why: 'failed' })
      })
      asked.postMessage(file, [port2])
    })
}

/** A picture's address while it is shown. */
function usePreview(picture: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!picture) return setAddress(undefined)
    const made = URL.createObjectURL(picture)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [picture])
  return address
}

/** The checks that are kept, the last first. */
function Earlier({ id }: { id: string }) {
  const { data: proofs = [] } = usePrintProofs(id)
  if (proofs.length === 0) return null
  return (
    <section aria-labelledby="print-checks">
      <Title order={3} size="h5" mb={4} id="print-checks">
        Earlier checks
      </Title>
      <Box component="ul" className={rows.rows} style={{ borderTop: '1px solid var(--line)' }}>
        {proofs.map(({ checkedAt, verdict }) => (
          <Group component="li" key={checkedAt} gap="2px 12px" py={6}>
            <Text size="sm" component="span" c="dimmed">
              {formatMoment(checkedAt)}
            </Text>
            <Text size="sm" component="span">
              {verdictText(verdict)}
            </Text>
          </Group>
        ))}
      </Box>
    </section>
  )
}
