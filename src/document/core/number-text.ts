/** A JSON number as it was written. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
