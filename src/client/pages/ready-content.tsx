import { ScanNow } from '../analytics/scan-now.tsx'
import { ReadyCode } from '../codes/ready/ready-code.tsx'
import type { ContentProps } from '../codes/ready/ready-dialog.tsx'

/** The contents of the dialog of a ready code: fetched late, since the list does not need it. */
export function Content(props: ContentProps) {
  return <ReadyCode {...props} scan={<ScanNow key={props.code.id} code={props.code} />} />
}
