import { Box, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { QrCode } from '#contract/codes/codes.ts'
import {
  type LabelLayout,
  LINK_HEIGHT,
  LINK_SIZE,
  NAME_HEIGHT,
  NAME_SIZE,
  type Box as Place,
} from '#contract/labels/label-layout.ts'
import { type LabelSheet, labelAt, perPage } from '#contract/labels/label-sheets.ts'
import { lookOf } from '#contract/pictures/pictures.ts'
import {
  encoded,
  type Font,
  fitted,
  isWritable,
  linkLines,
  nameLines,
  widthOf,
} from '#qr/formats/helvetica.ts'
import { draw } from '../../drawing/drawn-symbol.ts'
import { useArrived } from '../../ui/arrived.ts'
import { useOnPhone } from '../../ui/dialog/dialog.tsx'
import { linkOf } from '../links.ts'
import { useOwner } from '../owner.ts'
import styles from './labels.module.css'

type Shown = { code: QrCode; name: string; link: string }

type Props = {
  sheet: LabelSheet
  layout: LabelLayout
  first: number
  pages: number
  /** Those of the first sheet */
  labels: readonly Shown[]
}

/** The first sheet, to scale. Codes of one look share the picture of the first of them: they are small here. */
export function SheetPreview({ sheet, layout, first, pages, labels }: Props) {
  const pictures = usePictures(labels)
  const { pageWidth, pageHeight } = sheet
  const spoken = `First sheet: ${labels.length} of ${perPage(sheet)} labels are printed`
  return (
    <Box component="figure" mb="sm" ta="center">
      <svg
        viewBox={`0 0 ${pageWidth} ${pageHeight}`}
        className={styles.page}
        style={{ aspectRatio: `${pageWidth} / ${pageHeight}`, maxHeight: useOnPhone() ? 320 : 420 }}
        role="img"
        aria-label={spoken}
      >
        {Array.from({ length: perPage(sheet) }, (_, index) => {
          const { x, y } = labelAt(sheet, index)
          const label = labels[index - (first - 1)]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a label is its place
            <g key={index} transform={`translate(${x} ${y})`}>
              <Outline sheet={sheet} isGone={index < first - 1} />
              {label && (
                <Words {...label} layout={layout} picture={pictures?.get(lookKey(label.code))} />
              )}
            </g>
          )
        })}
      </svg>
      <Text component="figcaption" size="xs" c="dimmed">
        {pages === 1 ? 'To scale' : `Sheet 1 of ${pages}, to scale`}
      </Text>
    </Box>
  )
}

function Outline({ sheet, isGone }: { sheet: LabelSheet; isGone: boolean }) {
  const { labelWidth, labelHeight, isRound, hasCutLines } = sheet
  const radius = hasCutLines ? 0 : Math.min(1.5, labelWidth / 8)
  const paint = { fill: isGone ? '#e9e4dc' : '#fff', stroke: '#c4bbad', strokeWidth: 0.4 }
  if (isRound)
    return <circle r={labelWidth / 2} cx={labelWidth / 2} cy={labelWidth / 2} {...paint} />
  return <rect width={labelWidth} height={labelHeight} rx={radius} {...paint} />
}

type WordsProps = Shown & { layout: LabelLayout; picture: string | undefined }

function Words({ name, link, layout, picture }: WordsProps) {
  const { x, y, edge } = layout.code
  return (
    <>
      {picture ? (
        <image href={picture} x={x} y={y} width={edge} height={edge} />
      ) : (
        <rect x={x} y={y} width={edge} height={edge} fill="#f4f1ec" />
      )}
      {layout.name && <Lines of={nameIn(layout.name, name)} box={layout.name} {...NAME} />}
      {layout.link && <Lines of={linkIn(layout.link, link)} box={layout.link} {...LINK} />}
    </>
  )
}

const MM_PER_POINT = 25.4 / 72
/** As on the sheet */
const NAME = { ...NAME_SIZE, font: 'bold' } as const
const LINK = { ...LINK_SIZE, font: 'regular' } as const

const nameIn = ({ width, height }: Place, name: string) =>
  height < 2 * NAME_HEIGHT || !isWritable(name)
    ? [name]
    : nameLines(name, { ...NAME, width: width / MM_PER_POINT })
const linkIn = ({ width, height }: Place, link: string) =>
  height < 2 * LINK_HEIGHT ? [link] : linkLines(link, { ...LINK, width: width / MM_PER_POINT })

type LinesProps = Omit<LineProps, 'text'> & { of: readonly string[] }

function Lines({ of, box, ...letters }: LinesProps) {
  const height = box.height / of.length
  return of.map((text, index) => {
    const y = box.y + index * height
    return <Line key={y} text={text} box={{ ...box, y, height }} {...letters} />
  })
}

type LineProps = { text: string; box: Place; size: number; least: number; font: Font }

function Line({ text, box, size, least, font }: LineProps) {
  const line = inLine(text, box.width / MM_PER_POINT, { size, least, font })
  return (
    <text
      x={box.x + box.width / 2}
      y={box.y + box.height / 2}
      fontSize={line.size * MM_PER_POINT}
      fontWeight={font === 'bold' ? 700 : 400}
      textLength={line.length * MM_PER_POINT}
      lengthAdjust="spacingAndGlyphs"
      fill="#000"
      fontFamily="Helvetica, Arial, sans-serif"
      textAnchor="middle"
      dominantBaseline="central"
    >
      {line.text}
    </text>
  )
}

/** Letters of other fonts are about this wide. */
const OTHER_WIDTH = 0.62

/** A line as the file has it, in points. */
function inLine(
  text: string,
  width: number,
  { size, least, font }: Omit<LineProps, 'text' | 'box'>,
): { text: string; size: number; length: number } {
  const bytes = encoded(text)
  if (!bytes) {
    const most = Math.floor(width / (OTHER_WIDTH * least))
    const cut = text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
    const fit = Math.max(least, Math.min(size, width / (OTHER_WIDTH * text.length)))
    return { text: cut, size: fit, length: Math.min(width, OTHER_WIDTH * fit * cut.length) }
  }
  const fit = fitted(bytes, font, { width, size, least })
  const isCut = widthOf(bytes, font) * least > width
  const shown = isCut ? `${text.slice(0, fit.bytes.length - 1)}…` : text
  return { text: shown, size: fit.size, length: widthOf(fit.bytes, font) * fit.size }
}

/** More looks than one sees at this size */
const LOOKS_MAX = 12

const lookKey = (code: QrCode) => JSON.stringify(lookOf(code))

/** A picture of each look, drawn once. */
function usePictures(labels: readonly Shown[]) {
  const { hostUrl } = useOwner()
  const firstOf = useMemo(() => {
    const found = new Map<string, QrCode>()
    for (const { code } of labels) {
      const key = lookKey(code)
      if (found.size < LOOKS_MAX && !found.has(key)) found.set(key, code)
    }
    return found
  }, [labels])
  const keys = [...firstOf.keys()].join()
  const drawAll = async () => {
    const drawn = new Map<string, string>()
    for (const [key, code] of firstOf) {
      const picture = await draw(linkOf(hostUrl, code), lookOf(code))
      if (picture) drawn.set(key, picture)
    }
    return drawn
  }
  return useArrived(drawAll, `${keys} ${hostUrl}`)
}
