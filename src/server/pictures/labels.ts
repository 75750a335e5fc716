import { deflateSync, inflateSync } from 'node:zlib'
import {
  cellAt,
  LINK_HEIGHT,
  layOutSheet,
  NAME_HEIGHT,
  PAGE_MARGIN,
  placesIn,
  type Sheet,
} from '#contract/label-sheets.ts'
import type { LogoPicture } from '#qr/artwork/artwork.ts'
import { sceneForm } from '#qr/artwork/artwork-pdf.ts'
import { logoImage } from '#qr/artwork/logo-image.ts'
import { sceneOf } from '#qr/artwork/scene.ts'
import { isWritable } from '#qr/formats/helvetica.ts'
import {
  type InkPicture,
  type SheetDrawing,
  type SheetItem,
  sheetContent,
} from '#qr/formats/pdf-sheet.ts'
import { POINTS_PER_MM } from '#qr/formats/pdf-syntax.ts'
import { loadLetters } from '#qr/lettering/text-figures.ts'
import { readsBack } from '#qr/scan-check/read-back.ts'
import { encode } from '#qr/symbol/encode.ts'
import type { Design } from '#qr/symbol/look.ts'

/** A name as a browser drew it: deflated and in base64. */
type DrawnName = { readonly width: number; readonly height: number; readonly ink: string }

export type Label = {
  readonly design: Design
  readonly name: string
  /** The short link as people read it */
  readonly link: string
  /** In place of the name */
  readonly drawnName?: DrawnName | undefined
}

/** The labels of one page. */
export type LabelPage = { readonly sheet: Sheet; readonly labels: readonly Label[] }

/** Why a label is not given out. */
export type LabelFault = 'unreadable' | 'no-letters' | 'bad-picture'

/** Labels whose codes are to be read, and the edge of a code in print in millimetres. */
export type LabelCheck = { readonly labels: readonly Label[]; readonly edge: number }

/** What printers of offices resolve: 300 dots an inch */
const DOTS_PER_MM = 300 / 25.4

/** Reads each label's code as it is printed; answers the fault of each label, null where it has none. */
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

/** Sizes of letters in points */
const NAME_SIZE = { size: 11, least: 6 }
const LINK_SIZE = { size: 7, least: 4.5 }

/** Draws one page of a PDF. It belongs in a drawing thread. @throws as the engine does */
export async function drawLabels({ sheet, labels }: LabelPage) {
  if (labels.some(({ design }) => design.artwork?.frame)) await loadLetters()
  const layout = layOutSheet(sheet)
  const pictures: InkPicture[] = []
  const drawings: SheetDrawing[] = []
  const items = labels.flatMap((label, index) => {
    const { drawnName } = label
    const at = drawnName && pictures.push(pictureOf(drawnName)) - 1
    return labelItems(label, cellAt(sheet, layout, index), layout, at, drawings)
  })
  const content = sheetContent([...cutLines(sheet, layout, labels.length), ...items], layout.height)
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
  // What a client sends is packed anew: nothing else of it reaches the file.
  return { width, height, deflated: deflateSync(inkOf(drawn) ?? new Uint8Array()) }
}

type Layout = ReturnType<typeof layOutSheet>

function labelItems(
  { design, name, link, drawnName }: Label,
  cell: { x: number; y: number },
  layout: Layout,
  picture: number | undefined,
  drawings: SheetDrawing[],
): SheetItem[] {
  const places = placesIn(layout)
  const lineX = cell.x + (layout.cellWidth - layout.line) / 2
  const nameBox = { x: lineX, y: cell.y + places.name, width: layout.line, height: NAME_HEIGHT }
  const linkBox = { x: lineX, y: cell.y + places.link, width: layout.line, height: LINK_HEIGHT }
  return [
    codeItem(design, { x: cell.x + places.x, y: cell.y + places.top }, layout.code, drawings),
    drawnName && picture !== undefined
      ? { kind: 'picture', ...nameBox, number: picture, shape: shapeIn(nameBox, drawnName) }
      : { kind: 'text', ...nameBox, ...NAME_SIZE, text: name, font: 'bold' },
    { kind: 'text', ...linkBox, ...LINK_SIZE, text: link, font: 'regular' },
  ]
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
  const form = sceneForm(scene, {
    ...{ width: width * POINTS_PER_MM, space: 'rgb', logo: design.logo },
  })
  const { shading, size } = form
  const logo = design.logo && scene.logo?.id
  const drawing = { deflated: deflateSync(form.content), shading, size, logo }
  return {
    ...{ kind: 'drawing', width, height, number: drawings.push(drawing) - 1 },
    ...{ x: x + (edge - width) / 2, y: y + (edge - height) / 2 },
  }
}

/** As large as the place allows. */
function shapeIn(place: { width: number; height: number }, { width, height }: DrawnName) {
  const scale = Math.min(place.width / width, place.height / height)
  return { width: scale * width, height: scale * height }
}

/** Around the cells that have a label. */
function cutLines({ columns }: Sheet, layout: Layout, labels: number): SheetItem[] {
  const rows = Math.ceil(labels / columns)
  const wide = Math.min(columns, labels)
  const x = (column: number) => PAGE_MARGIN + column * layout.cellWidth
  const y = (row: number) => PAGE_MARGIN + row * layout.cellHeight
  const line = (fromX: number, fromY: number, toX: number, toY: number): SheetItem => ({
    ...{ kind: 'line', x: fromX, y: fromY, to: { x: toX, y: toY } },
  })
  return [
    ...Array.from({ length: wide + 1 }, (_, column) => line(x(column), y(0), x(column), y(rows))),
    ...Array.from({ length: rows + 1 }, (_, row) => line(x(0), y(row), x(wide), y(row))),
  ]
}
