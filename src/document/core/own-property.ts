/** `container[key] = value` as an own property, whatever the key. */
export function setOwn<T>(container: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    container[key] = value;
  }
}
