import { deflateSync, inflateSync } from 'node:zlib'
import {
  type Box,
  type CaptionKind,
  type LabelLayout,
  LINK_HEIGHT,
  LINK_SIZE,
  layOutLabel,
  NAME_HEIGHT,
  NAME_SIZE,
} from '#contract/labels/label-layout.ts'
import { type LabelSheet, labelAt } from '#contract/labels/label-sheets.ts'
import type { LogoPicture } from '#qr/artwork/artwork.ts'
import { sceneForm } from '#qr/artwork/artwork-pdf.ts'
import { logoImage } from '#qr/artwork/logo-image.ts'
import { sceneOf } from '#qr/artwork/scene.ts'
import { loadLetters } from '#qr/artwork/text-figures.ts'
import { type Font, isWritable, linkLines, nameLines } from '#qr/formats/helvetica.ts'
import {
  type InkPicture,
  type SheetDrawing,
  type SheetItem,
  sheetContent,
} from '#qr/formats/pdf-sheet.ts'
import { POINTS_PER_MM } from '#qr/formats/pdf-syntax.ts'
import { readsBack } from '#qr/scan-check/legibility.ts'
import { encode } from '#qr/symbol/encode.ts'
import type { Design } from '#qr/symbol/look.ts'

/** A name as a browser drew it: deflated and in base64. */
type DrawnName = { readonly width: number; readonly height: number; readonly ink: string }

export type Label = {
  readonly design: Design
  /** The name as it is written */
  readonly name: string
  /** The short link as people read it */
  readonly link: string
  /** In place of the name */
  readonly drawnName?: DrawnName | undefined
}

/** Labels on a sheet of which the first ones may be gone: `first` is counted from 1. */
export type LabelPage = {
  readonly sheet: LabelSheet
  readonly caption: CaptionKind
  readonly first: number
  readonly labels: readonly Label[]
}

/** Why a label is not given out. */
export type LabelFault = 'unreadable' | 'no-letters' | 'bad-picture'

/** Labels whose codes are to be read, and the edge of a code in print in millimetres. */
export type LabelCheck = { readonly labels: readonly Label[]; readonly edge: number }

/** Office printers print 300 dots an inch. */
const DOTS_PER_MM = 300 / 25.4

/** Reads each label's code as it is printed. Returns the fault of each label, or null. */
export async function checkLabels({ labels, edge }: LabelCheck): Promise<(LabelFault | null)[]> {
  const { loadDecoders } = await import('./checks.ts')
  const decoders = await loadDecoders()
  const faults: (LabelFault | null)[] = []
  for (const label of labels) {
    const printed = placeOf(label.design, edge) * DOTS_PER_MM
    const isRead = await readsBack(label.design, printed, decoders)
    faults.push(isRead ? nameFault(label) : 'unreadable')
  }
  return faults
}

function nameFault({ name, drawnName }: Label): LabelFault | null {
  if (drawnName) return inkOf(drawnName) ? null : 'bad-picture'
  return isWritable(name) ? null : 'no-letters'
}

/** Its rows, if they are just as many bytes as its size says. */
function inkOf({ width, height, ink }: DrawnName): Uint8Array | undefined {
  const length = Math.ceil(width / 8) * height
  try {
    const rows = inflateSync(Buffer.from(ink, 'base64'), { maxOutputLength: length })
    return rows.length === length ? rows : undefined
  } catch {
    return undefined
  }
}

/** Draws one page of a PDF. It belongs in a drawing thread. @throws as the engine does */
export async function drawLabels({ sheet, caption, first, labels }: LabelPage) {
  if (labels.some(({ design }) => design.artwork?.frame)) await loadLetters()
  const layout = layOutLabel(sheet, caption)
  const pictures: InkPicture[] = []
  const drawings: SheetDrawing[] = []
  const items = labels.flatMap((label, index) => {
    const { drawnName } = label
    const number = drawnName && layout.name ? pictures.push(pictureOf(drawnName)) - 1 : undefined
    const at = labelAt(sheet, first - 1 + index)
    const lines = sheet.hasCutLines ? cutLines(sheet, at) : []
    return [...lines, ...labelItems(label, at, layout, number, drawings)]
  })
  const content = sheetContent(items, sheet.pageHeight)
  return { bytes: deflateSync(content), pictures, drawings, logos: await logosOf(labels) }
}

/** Each logo of the labels once. */
function logosOf(labels: readonly Label[]) {
  const logos = new Map<string, LogoPicture>()
  for (const { design } of labels) {
    if (design.artwork?.logo && design.logo) logos.set(design.artwork.logo.id, design.logo)
  }
  return Promise.all(
    [...logos].map(async ([id, logo]) => ({ id, ...(await logoImage(logo, 'rgb', deflateSync)) })),
  )
}

function pictureOf(drawn: DrawnName): InkPicture {
  const { width, height } = drawn
  // The client's data are unpacked and packed again: nothing else of them reaches the file.
  return { width, height, deflated: deflateSync(inkOf(drawn) ?? new Uint8Array()) }
}

type Place = { x: number; y: number }

function labelItems(
  { design, name, link, drawnName }: Label,
  at: Place,
  layout: LabelLayout,
  picture: number | undefined,
  drawings: SheetDrawing[],
): SheetItem[] {
  const onPage = (box: Box) => ({ ...box, x: at.x + box.x, y: at.y + box.y })
  const { code } = layout
  const items = [codeItem(design, { x: at.x + code.x, y: at.y + code.y }, code.edge, drawings)]
  if (layout.name) {
    const box = onPage(layout.name)
    if (drawnName && picture !== undefined) items.push(pictureItem(drawnName, box, picture))
    else items.push(...lineItems(nameIn(box, name), box, { ...NAME_SIZE, font: 'bold' }))
  }
  if (layout.link) {
    const box = onPage(layout.link)
    items.push(...lineItems(linkIn(box, link), box, { ...LINK_SIZE, font: 'regular' }))
  }
  return items
}

/** In two lines where the box has room for them and one is too long. */
const nameIn = ({ width, height }: Box, name: string) =>
  height < 2 * NAME_HEIGHT
    ? [name]
    : nameLines(name, { ...NAME_SIZE, width: width * POINTS_PER_MM })
const linkIn = ({ width, height }: Box, link: string) =>
  height < 2 * LINK_HEIGHT
    ? [link]
    : linkLines(link, { ...LINK_SIZE, width: width * POINTS_PER_MM })

function lineItems(
  lines: readonly string[],
  box: Box,
  letters: { size: number; least: number; font: Font },
): SheetItem[] {
  const height = box.height / lines.length
  return lines.map((text, index) => ({
    ...box,
    ...letters,
    kind: 'text',
    y: box.y + index * height,
    height,
    text,
  }))
}

/** A name that was drawn has one line. */
function pictureItem(drawn: DrawnName, box: Box, number: number): SheetItem {
  const line = { ...box, y: box.y + (box.height - NAME_HEIGHT) / 2, height: NAME_HEIGHT }
  return { kind: 'picture', ...line, number, shape: shapeIn(line, drawn) }
}

/** A frame has no quiet zone around it: this keeps it apart from the name below. */
const FRAMED = 0.95

/** The edge of the square that a design is drawn in, of so much room. */
const placeOf = ({ artwork }: Design, edge: number) => (artwork?.frame ? FRAMED * edge : edge)

/** A code in a square place; one with a frame is as large as it fits, in the place's middle. */
function codeItem(
  design: Design,
  { x, y }: { x: number; y: number },
  edge: number,
  drawings: SheetDrawing[],
): SheetItem {
  const matrix = encode(design.text, design)
  if (!design.artwork) return { kind: 'symbol', x, y, edge, matrix, appearance: design }
  const scene = sceneOf(matrix, design)
  const scale = placeOf(design, edge) / Math.max(scene.width, scene.height)
  const [width, height] = [scale * scene.width, scale * scene.height]
  const space = 'rgb'
  const form = sceneForm(scene, { width: width * POINTS_PER_MM, space, logo: design.logo })
  const { shading, size } = form
  const logo = design.logo && scene.logo?.id
  const drawing = { deflated: deflateSync(form.content), shading, size, logo }
  return {
    kind: 'drawing',
    width,
    height,
    number: drawings.push(drawing) - 1,
    x: x + (edge - width) / 2,
    y: y + (edge - height) / 2,
  }
}

/** As large as the place allows. */
function shapeIn(place: { width: number; height: number }, { width, height }: DrawnName) {
  const scale = Math.min(place.width / width, place.height / height)
  return { width: scale * width, height: scale * height }
}

/** Lines around a label. A round one gets them as well: cutting begins with a square. */
function cutLines({ labelWidth, labelHeight }: LabelSheet, { x, y }: Place): SheetItem[] {
  const [right, bottom] = [x + labelWidth, y + labelHeight]
  const line = (from: Place, to: Place): SheetItem => ({ kind: 'line', ...from, to })
  return [
    line({ x, y }, { x: right, y }),
    line({ x, y: bottom }, { x: right, y: bottom }),
    line({ x, y }, { x, y: bottom }),
    line({ x: right, y }, { x: right, y: bottom }),
  ]
}
