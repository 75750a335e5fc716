import { navigate, useLocationProperty } from 'wouter/use-browser-location'

export const isAskedForSeries = () => new URLSearchParams(window.location.search).has('series')

/** Whether the page's address asks for the dialog of a series. */
export const useAskedForSeries = () => useLocationProperty(isAskedForSeries)

function addressWith(asked: boolean): string {
  const query = new URLSearchParams(window.location.search)
  query.delete('series')
  const parts = [query.toString(), asked && 'series'].filter(Boolean)
  return window.location.pathname + (parts.length > 0 ? `?${parts.join('&')}` : '')
}

export function openSeries(): void {
  if (!isAskedForSeries()) navigate(addressWith(true))
}

/** Back does not come to it again. */
export function closeSeries(): void {
  if (isAskedForSeries()) navigate(addressWith(false), { replace: true })
}
