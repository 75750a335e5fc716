import { type Box, type CaptionKind, layOutLabel } from '../../src/contract/labels/label-layout.ts'
import { type LabelSheet, labelAt } from '../../src/contract/labels/label-sheets.ts'
import type { Place } from './pdf-sheets.ts'

/** Where the parts of a label are to be on their page, in millimetres; labels are counted from 0. */
export function placesOn(sheet: LabelSheet, index: number, caption: CaptionKind = 'name-and-link') {
  const at = labelAt(sheet, index)
  const layout = layOutLabel(sheet, caption)
  const { x, y, edge } = layout.code
  const onPage = (box: Box): Place => {
    const [left, top] = [at.x + box.x, at.y + box.y]
    return { left, top, right: left + box.width, bottom: top + box.height }
  }
  return {
    label: onPage({ x: 0, y: 0, width: sheet.labelWidth, height: sheet.labelHeight }),
    code: onPage({ x, y, width: edge, height: edge }),
    name: layout.name && onPage(layout.name),
    link: layout.link && onPage(layout.link),
  }
}
