/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures and films of a scene as files. Its interface: README.md. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});
  const KINDS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];

  /* Hands a file to the browser's downloads. */
  liegrp.save = function (blob, name) {
    const a = document.createElement('a');
    a.href = URL.createObjectURL(blob), a.download = name;
    document.body.append(a), a.click(), a.remove();
    setTimeout(() => URL.revokeObjectURL(a.href), 60000);
  };

  /* The picture as PNG, with these lines, [text, colour or ''], in a corner. */
  liegrp.picture = function (view, name, lines) {
    const canvas = document.createElement('canvas'), c = canvas.getContext('2d'), of = view.canvas, k = view.ratio;
    canvas.width = of.width, canvas.height = of.height;
    view.render(), c.drawImage(of, 0, 0);
    c.font = 13 * k + 'px "DejaVu Sans", Arial, sans-serif', c.textBaseline = 'middle';
    lines.forEach(([text, colour], i) => {
      const y = (20 + 20 * i) * k;
      if (colour) c.fillStyle = colour, c.fillRect(14 * k, y - 1.5 * k, 14 * k, 3 * k);
      c.fillStyle = getComputedStyle(document.body).color, c.fillText(text, (colour ? 36 : 14) * k, y);
    });
    canvas.toBlob((blob) => liegrp.save(blob, name + '.png'), 'image/png');
  };

  /* A film of what is drawn from now on, until stop(). */
  class Film {
    /* A text if films cannot be made here. */
    static missing() {
      return window.MediaRecorder && HTMLCanvasElement.prototype.captureStream && KINDS.some((k) => MediaRecorder.isTypeSupported(k))
        ? '' : 'This browser records no films';
    }
    constructor(view, name) {
      const parts = [];
      this.stream = view.canvas.captureStream(30);
      this.recorder = new MediaRecorder(this.stream, { mimeType: KINDS.find((k) => MediaRecorder.isTypeSupported(k)), videoBitsPerSecond: 6e6 });
      this.recorder.ondataavailable = (e) => parts.push(e.data);
      this.recorder.onstop = () => {
        this.stream.getTracks().forEach((t) => t.stop());
        liegrp.save(new Blob(parts, { type: 'video/webm' }), name + '.webm');
      };
      this.recorder.start(), view.changed();
    }
    stop() { if (this.recorder.state !== 'inactive') this.recorder.stop(); }
  }
  liegrp.Film = Film;
})();
