import { type DragEvent, useState } from 'react'

/** Props of an element that takes a dropped file. `data-over` is set while a file is above it. */
export function useDropPlace(onFile: (file: File | null | undefined) => void) {
  const [isOver, setOver] = useState(false)
  const hover = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  }
  return {
    'data-over': isOver || undefined,
    onDragEnter: hover,
    onDragOver: hover,
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      onFile(event.dataTransfer.files[0])
    },
  }
}
