// Notes every label that a canvas shows, with its box in pixels of the canvas, until the canvas is cleared.
{
    const drawing = CanvasRenderingContext2D.prototype;
    const [write, clear] = [drawing.fillText, drawing.clearRect];
    drawing.clearRect = function (...how) { this.canvas.labels = []; return clear.apply(this, how); };
    drawing.fillText = function (text, x, y, ...how) {
        const { a: scale, e: right, f: down } = this.getTransform();
        const letters = parseFloat(this.font.match(/([\d.]+)px/)[1]);
        const wide = this.measureText(text).width;
        const left = x - { left: 0, start: 0, center: wide / 2, right: wide, end: wide }[this.textAlign];
        const [high, low] = this.textBaseline === "middle" ? [0.4, 0.4] : [0.75, 0.1];
        const ratio = window.devicePixelRatio;
        (this.canvas.labels ??= []).push({ text, bold: /^[67]00/.test(this.font), letters: letters * scale / ratio, left: (left * scale + right) / ratio,
            right: ((left + wide) * scale + right) / ratio, top: ((y - letters * high) * scale + down) / ratio,
            bottom: ((y + letters * low) * scale + down) / ratio });
        return write.call(this, text, x, y, ...how);
    };
}
